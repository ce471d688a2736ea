import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The only form in which a code, a token or a cookie's value is stored: SHA-256 in base64url. */
export function hashed(value: string): string {
  return hash('sha256', value, 'base64url');
}

/** Makes a token: 256 bits of chance in base64url. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Encrypts a text that is stored under a secret value, with a key that only this value gives: the database shows
 * neither the value, of which it has only the hash, nor the text.
 */
export function seal(text: string, value: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(value), iv);
  const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return sealed.toString('base64url');
}

/** @throws {Error} where the value is another one. */
export function unseal(sealed: string, value: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv(CIPHER, keyOf(value), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

function keyOf(value: string): Buffer {
  return hash('sha256', `seal:${value}`, 'buffer');
}
