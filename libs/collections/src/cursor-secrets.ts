import { createSecretKey, hash, randomBytes, timingSafeEqual } from 'node:crypto';

import type { Seal } from '@items/paging';
import { type Database, getOrCreateSetting } from '@items/store';

const NAME = 'cursor_secret';
/** What a cursor carries of its HMAC. */
const MAC_BYTES = 16;
/** Of SHA-256. RFC 2104 §2 */
const BLOCK_BYTES = 64;

/**
 * The keys that authenticate cursors: `CURSOR_SECRET` (several, newest first, while one replaces another), else one
 * that the first instance makes and keeps in the database, for itself after a restart and for the other instances.
 * @returns at least one; the first signs, all verify.
 */
export async function cursorSeals(database: Database, configured: readonly string[]): Promise<readonly Seal[]> {
  const secrets = configured.length > 0 ? configured : [await getOrCreateSetting(database, NAME, makeSecret)];
  return secrets.map(sealOf);
}

/**
 * Authenticates with HMAC-SHA-256 under a secret, as base64url.
 * @see RFC 2104, RFC 4648 §5
 */
export function sealOf(secret: string): Seal {
  const mac = hmacOf(secret);
  return {
    seal: (text) => {
      const bytes = Buffer.allocUnsafe(MAC_BYTES + Buffer.byteLength(text));
      bytes.write(text, MAC_BYTES);
      mac(bytes.subarray(MAC_BYTES)).copy(bytes, 0, 0, MAC_BYTES);
      return bytes.toString('base64url');
    },
    open: (sealed) => {
      const bytes = Buffer.from(sealed, 'base64url');
      // Node passes over what is no base64url: only the one form that seal() gives is ours.
      if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== sealed) return undefined;
      const text = bytes.subarray(MAC_BYTES);
      const isAuthentic = timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(text).subarray(0, MAC_BYTES));
      return isAuthentic ? text.toString() : undefined;
    },
  };
}

/** Two hashes at one call each: createHmac() makes an object of streams, and takes three times as long. */
function hmacOf(secret: string): (bytes: Buffer) => Buffer {
  const key = createSecretKey(secret, 'utf8').export();
  const block = key.length > BLOCK_BYTES ? hash('sha256', key, 'buffer') : key;
  const padded = (pad: number): Buffer =>
    Buffer.alloc(BLOCK_BYTES).map((_, index) => (block[index] ?? 0) ^ pad) as Buffer;
  const [inner, outer] = [padded(0x36), padded(0x5c)];
  return (bytes) =>
    hash('sha256', Buffer.concat([outer, hash('sha256', Buffer.concat([inner, bytes]), 'buffer')]), 'buffer');
}

function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}
