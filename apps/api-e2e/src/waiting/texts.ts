/** Makes a text of about this number of characters. */
export type TextOf = (length: number) => string;

/** Minimum length: some texts need a character at each end. */
const SHORTEST = 2;

/** Kinds of texts that some parser once handled in more than linear time. */
export function oddTexts(): readonly (readonly [title: string, of: TextOf])[] {
  return TEXTS;
}

const TEXTS: readonly (readonly [title: string, of: TextOf])[] = [
  ...[
    'a',
    '0',
    '9',
    '-',
    '_',
    '.',
    '/',
    ':',
    '=',
    '*',
    '+',
    '@',
    '(',
    '[',
    '{',
    '<',
    '"',
    "'",
    '\\',
    ' ',
    '\t',
    ',',
    ';',
    '&',
    '%',
  ].map((character) => [`runs of ${JSON.stringify(character)}`, repeated(character)] as const),
  ['blanks between two letters', (length) => `a${' '.repeat(length - 2)}b`],
  ['a comma, blanks and a letter', (length) => `,${' '.repeat(length - 2)}x`],
  ['zeros between ones', (length) => `1${'0'.repeat(length - 2)}1`],
  ['a fraction', (length) => `0.${'0'.repeat(length - 2)}1`],
  ['an exponent', (length) => `1e${'0'.repeat(length - 2)}1`],
  ['commas and blanks', repeated(', ')],
  ['names and values', repeated('a=b;')],
  ['parameters', repeated('a=b&')],
  ['words', repeated('items:read ')],
  ['entity tags', repeated('W/"a",')],
  ['quoted parameters', repeated(';a="b"')],
  ['quoted pairs', repeated('\\"')],
  ['escapes', repeated('\\u0041')],
  ['percent-escapes', repeated('%41')],
  ['broken percent-escapes', repeated('%4')],
  ['fields of an order', repeated('-name,')],
  ['addresses', repeated('10.0.0.1, ')],
  ['mail addresses', repeated('a@a.')],
  ['path segments', repeated('../')],
  ['media types', repeated('*/*;q=0.1,')],
  ['domain names', repeated('a.b-')],
  ['dates', repeated('2026-11-20T')],
  ['base64', repeated('QUJD')],
  ['combining marks', repeated('\u0300')],
  ['combining marks in the wrong order', (length) => `a${'\u0300'.repeat(length / 2)}${'\u0316'.repeat(length / 2)}`],
  ['combining marks that alternate', repeated('\u0300\u0316')],
  ['syllables', repeated('\u1100\u1161')],
  ['characters of two units', repeated('\u{1f600}')],
  ['marks of direction', repeated('\u202e')],
];

function repeated(unit: string): (length: number) => string {
  return (length) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

/** A text in a header: the bytes of its UTF-8, up to this number. */
export function inHeader(textOf: TextOf, bytes: number): string {
  return fitted(textOf, bytes, (text) => Buffer.from(text).toString('latin1'));
}

/** A text in a URL or a form. */
export function encoded(textOf: TextOf, bytes: number): string {
  return fitted(textOf, bytes, (text) => encodeURIComponent(whole(text)));
}

/** A text as a JSON string, with its quotes. */
export function inJson(textOf: TextOf, bytes: number): string {
  return fitted(textOf, bytes, (text) => JSON.stringify(whole(text)));
}

/** Chooses a length that fits. Does not truncate, because often the end of a text makes it slow. */
function fitted(textOf: TextOf, bytes: number, encode: (text: string) => string): string {
  const sample = Math.max(SHORTEST, Math.min(bytes, 1000));
  const perCharacter = Math.max(1, Buffer.byteLength(encode(textOf(sample))) / sample);
  return encode(textOf(Math.max(SHORTEST, 2 * Math.floor((bytes - 50) / perCharacter / 2))));
}

/** Replaces half surrogate pairs, which cannot be sent. */
function whole(text: string): string {
  return Buffer.from(text).toString();
}
