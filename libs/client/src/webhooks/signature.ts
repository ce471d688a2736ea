const SECRET = /^whsec_([A-Za-z0-9+/]{4,}={0,2})$/;

/** @throws {TypeError} The secret is malformed. The message does not contain it. */
export async function keyOf(secret: string): Promise<CryptoKey> {
  const [, base64] = SECRET.exec(secret) ?? [];
  if (base64 === undefined) throw new TypeError('A secret of a webhook is "whsec_" and a key in base64.');
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

/** Formats a signature for the header: `v1,` and base64. */
export async function signatureOf(key: CryptoKey, content: Uint8Array<ArrayBuffer>): Promise<string> {
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, content));
  return `v1,${btoa(String.fromCharCode(...mac))}`;
}

/** In constant time, if the lengths are equal. */
export function areEqual(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at += 1) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}
