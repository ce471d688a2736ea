/** A value of a field, and the result that the specification requires. */
export interface FieldCase {
  readonly title: string;
  /** Already JSON text, so that the test determines spelling and precision. */
  readonly json: string;
  /** The stored value; undefined if the response is 422. */
  readonly stored?: string | number | null;
}

const text = (title: string, value: string, stored = value): FieldCase => ({
  title,
  json: JSON.stringify(value),
  stored,
});
const refused = (title: string, json: string): FieldCase => ({ title, json });
const refusedText = (title: string, value: string): FieldCase => refused(title, JSON.stringify(value));

const EMOJI = '\u{1F600}';

const NO_STRINGS: readonly FieldCase[] = [
  refused('a number', '1'),
  refused('a boolean', 'true'),
  refused('an array', '["Lamp"]'),
  refused('an object', '{"a":"Lamp"}'),
];

const BAD_UNICODE: readonly FieldCase[] = [
  refused('NUL', '"a\\u0000b"'),
  refused('NUL at the end', '"a\\u0000"'),
  refused('a lone high surrogate', '"a\\ud800"'),
  refused('a lone low surrogate', '"\\udc00a"'),
  refused('surrogates in the wrong order', '"\\udc00\\ud800"'),
];

/** §2 name: string, 1–200 characters after trimming; stored trimmed; lengths count code points. */
export const NAME_CASES: readonly FieldCase[] = [
  text('1 character', 'a'),
  text('200 characters', 'a'.repeat(200)),
  refusedText('201 characters', 'a'.repeat(201)),
  text('200 astral characters, 400 code units', EMOJI.repeat(200)),
  refusedText('201 astral characters', EMOJI.repeat(201)),
  text('1 astral character', EMOJI),
  { title: 'a surrogate pair written as escapes', json: '"\\ud83d\\ude00"', stored: EMOJI },
  text('spaces around it', '  Lamp  ', 'Lamp'),
  text('tabs and line ends around it', '\t\r\nLamp\n\t', 'Lamp'),
  text('200 characters and spaces around them', `  ${'a'.repeat(200)}  `, 'a'.repeat(200)),
  text('spaces inside', 'a  b'),
  text('control characters inside', 'a\u0001\u001f\u007fb'),
  text('quotes, backslashes and SQL', `'; DROP TABLE items; -- " \\ % _ $1 ?`),
  text('markup', '<script>alert(1)</script>&amp;'),
  text('combining characters as they are', 'e\u0301 \u00e9'),
  text('a family emoji', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'),
  text('noncharacters', 'a\uffff\ufffeb'),
  text('right to left', '\u05e9\u05dc\u05d5\u05dd \u202e'),
  text('the name of a prototype member', '__proto__'),
  refusedText('empty', ''),
  refusedText('only spaces', '   '),
  refusedText('only line ends', '\r\n\t'),
  refusedText('only a zero-width space', '\u200b'),
  refusedText('only invisible characters and spaces', '\u2060 \u00ad\u3164'),
  text('a visible character among invisible ones', '\u200ba\u200b'),
  refused('null', 'null'),
  ...NO_STRINGS,
  ...BAD_UNICODE,
];

/** §2 description: string ≤ 2000 or null. */
export const DESCRIPTION_CASES: readonly FieldCase[] = [
  { title: 'null', json: 'null', stored: null },
  text('empty', ''),
  text('2000 characters', 'd'.repeat(2000)),
  refusedText('2001 characters', 'd'.repeat(2001)),
  text('2000 astral characters', EMOJI.repeat(2000)),
  refusedText('2001 astral characters', EMOJI.repeat(2001)),
  text('line ends and spaces, as they are', '  a\r\nb\t '),
  ...NO_STRINGS,
  ...BAD_UNICODE,
];

/** §2 color: string 1–30 without a comma, or null. */
export const COLOR_CASES: readonly FieldCase[] = [
  { title: 'null', json: 'null', stored: null },
  text('1 character', 'r'),
  text('30 characters', 'c'.repeat(30)),
  refusedText('31 characters', 'c'.repeat(31)),
  text('30 astral characters', EMOJI.repeat(30)),
  refusedText('31 astral characters', EMOJI.repeat(31)),
  refusedText('empty', ''),
  refusedText('a comma', 'red,blue'),
  refusedText('only a comma', ','),
  text('other separators', 'red;blue|green、白'),
  text('upper case', 'Red'),
  ...NO_STRINGS,
  ...BAD_UNICODE,
];

const amount = (json: string, stored = Number(json)): FieldCase => ({ title: json, json, stored });

/** §2 price: number ≥ 0, at most 2 decimals, ≤ 999999999.99, or null; stored exactly. */
export const PRICE_CASES: readonly FieldCase[] = [
  { title: 'null', json: 'null', stored: null },
  ...['0', '0.01', '0.1', '0.29', '0.57', '1.10', '2.5', '19.99', '70.07', '1e2', '1E-2', '4.35', '8.41'].map((json) =>
    amount(json),
  ),
  ...['100000000.01', '123456789.12', '999999999.98', '999999999.99', '999999999', '1.1e1'].map((json) => amount(json)),
  ...[
    '-0.01',
    '-1',
    '0.001',
    '19.999',
    '1.005',
    '0.005',
    '1000000000',
    '999999999.995',
    '999999999.991',
    '1e9',
    '1e20',
  ].map((json) => refused(json, json)),
  refused('a string', '"19.99"'),
  refused('an empty string', '""'),
  refused('a boolean', 'true'),
  refused('an array', '[1]'),
  refused('an object', '{}'),
];
