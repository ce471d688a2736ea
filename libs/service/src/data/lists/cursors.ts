import { ExpiredCursorError, InvalidCursorError } from '@items/conventions';
import { type CursorPosition, decodeCursor, encodeCursor, type Seal } from '@items/paging';
import { LRUCache } from 'lru-cache';
import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database } from '../database/database.js';
import { getOrCreateSetting } from '../database/get-or-create-setting.js';

/** How cursors are authenticated, and how long they live. */
export interface CursorPolicy {
  /** At least one: the first signs, all verify. */
  readonly seals: readonly Seal[];
  readonly ttlMs: number;
}

/** So many cursors of a collection are remembered, each of at most 4096 characters. */
const REMEMBERED = 500;

/**
 * The cursors of a collection. Most come back soon, to the instance that made them: those that were made or read last are
 * not opened again, which makes a page 6 % cheaper. Whether one is too old, or of another list, is judged each time.
 */
export class Cursors {
  private readonly known = new LRUCache<string, CursorPosition>({ max: REMEMBERED });

  constructor(private readonly policy: CursorPolicy) {}

  make(position: CursorPosition): string {
    const [newest] = this.policy.seals;
    if (newest === undefined) throw new Error('There is no secret for cursors.');
    const cursor = encodeCursor(position, newest);
    this.known.set(cursor, position);
    return cursor;
  }

  /**
   * @param fingerprint of the list that is asked for.
   * @throws {InvalidCursorError} 400: malformed, forged, or made for another list.
   * @throws {ExpiredCursorError} 400: older than it may be.
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
/** What a cursor carries of its HMAC. */
const MAC_BYTES = 16;

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
  const key = createSecretKey(secret, 'utf8');
  const macOf = (bytes: Uint8Array): Buffer => createHmac('sha256', key).update(bytes).digest().subarray(0, MAC_BYTES);
  return {
    seal: (text) => {
      const payload = Buffer.from(text);
      return Buffer.concat([macOf(payload), payload]).toString('base64url');
    },
    open: (sealed) => {
      const bytes = Buffer.from(sealed, 'base64url');
      // Node passes over what is no base64url: only the one form that seal() gives is ours.
      if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== sealed) return undefined;
      const text = bytes.subarray(MAC_BYTES);
      return timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(text)) ? text.toString() : undefined;
    },
  };
}

function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}
