/** RFC 4648 §5, without padding. Some platforms have neither Buffer nor atob. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const NO_VALUE = 255;
/** Code unit → 6 bits. An array, because it is fast and every page decodes a cursor. */
const VALUES = new Uint8Array(128).fill(NO_VALUE);
for (let value = 0; value < ALPHABET.length; value += 1) VALUES[ALPHABET.charCodeAt(value)] = value;

export function toBase64Url(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xffff;
    held += 8;
    while (held >= 6) {
      held -= 6;
      text += ALPHABET.charAt((bits >> held) & 63);
    }
  }
  return held === 0 ? text : text + ALPHABET.charAt((bits << (6 - held)) & 63);
}

/**
 * @returns Undefined for text that {@link toBase64Url} never returns: with another character, padding, white space, an
 * impossible length, or unused bits that are not 0.
 */
export function fromBase64Url(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * 6) / 8));
  let length = 0;
  let bits = 0;
  let held = 0;
  for (let index = 0; index < text.length; index += 1) {
    const value = VALUES[text.charCodeAt(index)] ?? NO_VALUE;
    if (value === NO_VALUE) return undefined;
    bits = ((bits << 6) | value) & 0xffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[length++] = bits >> held;
    }
  }
  const unused = bits & ((1 << held) - 1);
  return held < 6 && unused === 0 ? bytes : undefined;
}
