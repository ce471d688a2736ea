import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'itk_';
/** 43 characters of base62 are 256 bits. */
const SECRET_LENGTH = 43;
/** 6 characters of base62 hold any CRC32. */
const KEY_CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${String(SECRET_LENGTH + KEY_CHECKSUM_LENGTH)}}$`);

/** Returns `itk_`, 43 random characters, and a checksum over both. SPEC §5.3 */
export function makeSecret(): string {
  const random = Array.from({ length: SECRET_LENGTH }, () => BASE62.charAt(randomInt(BASE62.length))).join('');
  return PREFIX + random + checksum(PREFIX + random);
}

export function isWellFormed(text: string): boolean {
  return FORM.test(text) && checksum(text.slice(0, -KEY_CHECKSUM_LENGTH)) === text.slice(-KEY_CHECKSUM_LENGTH);
}

/** 256 random bits, encoded as base64url. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Stored form of a secret, code, token or cookie. Random values need no slow hash. */
export function hashSecret(secret: string | Buffer): string {
  return hash('sha256', secret, 'base64url');
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let length = 0; length < KEY_CHECKSUM_LENGTH; length++) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}

/** Compares in constant time, so that the time reveals nothing about the hashes. */
export function isSameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
