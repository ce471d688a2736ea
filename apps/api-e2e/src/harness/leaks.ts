/** What was found where it must not be: never the value itself. */
export interface Leak {
  /** What the value was. */
  readonly secret: string;
  /** How it was written down: `plain`, `base64` … */
  readonly form: string;
  /** The start of the line that holds it, as far as no value is in it. */
  readonly line: string;
}

/** Shorter values would be found by chance. */
const MIN_LENGTH = 12;
const LINE_START = 80;

/**
 * Looks for values in lines of text, as they are and as they are commonly written down.
 * @param secrets values by what they are.
 * @throws {Error} for a value that is too short to be told from others.
 */
export function leaksIn(lines: readonly string[], secrets: ReadonlyMap<string, string>): Leak[] {
  const text = lines.join('\n');
  return [...secrets].flatMap(([secret, value]) => {
    if (value.length < MIN_LENGTH) throw new Error(`${secret} is too short to be looked for.`);
    return [...formsOf(value)].flatMap(([form, written]) => {
      if (!text.includes(written)) return [];
      const line = lines.find((one) => one.includes(written)) ?? '';
      return [{ secret, form, line: line.slice(0, Math.min(LINE_START, line.indexOf(written))) }];
    });
  });
}

function formsOf(value: string): Map<string, string> {
  const bytes = Buffer.from(value);
  const forms = new Map([
    ['plain', value],
    ['in JSON', JSON.stringify(value).slice(1, -1)],
    ['percent-encoded', encodeURIComponent(value)],
    ['in a form', new URLSearchParams([['', value]]).toString().slice(1)],
    ['hex', bytes.toString('hex')],
  ]);
  for (const offset of [0, 1, 2]) {
    forms.set(`base64 at ${String(offset)}`, withinBase64(bytes, offset, 'base64'));
    forms.set(`base64url at ${String(offset)}`, withinBase64(bytes, offset, 'base64url'));
  }
  return forms;
}

/** As it is part of something longer: without the characters whose bits are shared with its neighbours. */
function withinBase64(bytes: Buffer, offset: number, encoding: 'base64' | 'base64url'): string {
  const bits = (length: number): number => length * 8;
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString(encoding);
  return encoded.slice(Math.ceil(bits(offset) / 6), Math.floor(bits(offset + bytes.length) / 6));
}
