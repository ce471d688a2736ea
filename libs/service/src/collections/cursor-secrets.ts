import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';

import type { Seal } from '@items/paging';
import type { Database } from '../store/database/database.js';
import { getOrCreateSetting } from '../store/settings/get-or-create-setting.js';

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
