/** A secret found in the wrong place, without its value. */
export interface Leak {
  /** Description of the secret. */
  readonly secret: string;
  /** Encoding in which it was found: `plain`, `base64` … */
  readonly form: string;
  /** Start of the line, up to the secret. */
  readonly line: string;
}

/** Minimum length of a secret. Shorter values would be found by chance. */
const MIN_LENGTH = 12;
const LINE_START = 80;

/**
 * Finds values in lines of text, plain and in common encodings.
 * @param secrets values by description.
 * @throws {Error} a value is too short to be recognized.
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

/** Encodes bytes as within a longer text, at `offset`. Omits characters that also encode adjacent bytes. */
function withinBase64(bytes: Buffer, offset: number, encoding: 'base64' | 'base64url'): string {
  const bits = (length: number): number => length * 8;
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString(encoding);
  return encoded.slice(Math.ceil(bits(offset) / 6), Math.floor(bits(offset + bytes.length) / 6));
}
