import { createSecretKey, hash, randomBytes, timingSafeEqual } from 'node:crypto';

import type { Seal } from '@items/paging';
import { type Database, getOrCreateSetting } from '@items/store';

const NAME = 'cursor_secret';
/** What a cursor carries of its HMAC. */
const MAC_BYTES = 16;
/** Of SHA-256. RFC 2104 §2 */
const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
/** Longest text that needs no more room than most. */
const USUAL_BYTES = 1024;
const BYTE_STRING = 'binary';

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
  const hmac = new Hmac(secret);
  return {
    seal: (text) => {
      const payload = Buffer.from(text);
      const bytes = Buffer.allocUnsafe(MAC_BYTES + payload.length);
      bytes.write(hmac.of(payload), 0, MAC_BYTES, BYTE_STRING);
      payload.copy(bytes, MAC_BYTES);
      return bytes.toString('base64url');
    },
    open: (sealed) => {
      const bytes = Buffer.from(sealed, 'base64url');
      // Node passes over what is no base64url: only the one form that seal() gives is ours.
      if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== sealed) return undefined;
      const text = bytes.subarray(MAC_BYTES);
      const mac = Buffer.from(hmac.of(text), BYTE_STRING);
      return timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac.subarray(0, MAC_BYTES)) ? text.toString() : undefined;
    },
  };
}

/**
 * Two hashes at one call each: createHmac() makes an object of streams, and takes three times as long. What is hashed
 * stands behind the padded key already, and a hash comes as a string of its bytes, for which Node makes no buffer.
 */
class Hmac {
  private inner: Buffer;
  private readonly outer: Buffer;

  constructor(secret: string) {
    const key = createSecretKey(secret, 'utf8').export();
    const block = key.length > BLOCK_BYTES ? hash('sha256', key, 'buffer') : key;
    this.inner = padded(block, 0x36, USUAL_BYTES);
    this.outer = padded(block, 0x5c, HASH_BYTES);
  }

  /** @returns a character for each byte. */
  of(bytes: Uint8Array): string {
    const end = BLOCK_BYTES + bytes.length;
    if (end > this.inner.length) this.inner = Buffer.concat([this.inner], end);
    this.inner.set(bytes, BLOCK_BYTES);
    this.outer.write(hash('sha256', this.inner.subarray(0, end), BYTE_STRING), BLOCK_BYTES, BYTE_STRING);
    return hash('sha256', this.outer, BYTE_STRING);
  }
}

/** The key, padded, and room for so many bytes behind it. */
function padded(block: Buffer, pad: number, room: number): Buffer {
  const bytes = Buffer.alloc(BLOCK_BYTES + room);
  for (let index = 0; index < BLOCK_BYTES; index += 1) bytes[index] = (block[index] ?? 0) ^ pad;
  return bytes;
}

function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}
