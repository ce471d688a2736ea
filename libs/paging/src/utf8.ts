/* Does not use TextEncoder, which is not part of ECMAScript. */

const BEYOND_ASCII = /\P{ASCII}/u;

/** @param text Well-formed Unicode, as JSON.stringify makes it. */
export function toUtf8(text: string): Uint8Array {
  // Most cursors are ASCII. For them, encodeURIComponent would cost ten times as much.
  const octets = BEYOND_ASCII.test(text) ? encodeURIComponent(text).replace(/%(..)/g, octetOf) : text;
  const bytes = new Uint8Array(octets.length);
  for (let index = 0; index < octets.length; index += 1) bytes[index] = octets.charCodeAt(index);
  return bytes;
}

/** @throws {URIError} The bytes are not UTF-8. */
export function fromUtf8(bytes: Uint8Array): string {
  let octets = '';
  for (const byte of bytes) octets += String.fromCharCode(byte);
  return BEYOND_ASCII.test(octets) ? decodeURIComponent(octets.replace(/[%\x80-\xff]/g, escapeOf)) : octets;
}

function octetOf(_: string, hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}

function escapeOf(octet: string): string {
  return `%${octet.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
