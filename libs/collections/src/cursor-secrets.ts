import { createHmac, createSecretKey, randomBytes } from 'node:crypto';

import type { Mac } from '@items/paging';
import { type Database, getOrCreateSetting } from '@items/store';

const NAME = 'cursor_secret';

/**
 * The keys that authenticate cursors: `CURSOR_SECRET` (several, newest first, while one replaces another), else one
 * that the first instance makes and keeps in the database, for itself after a restart and for the other instances.
 * @returns at least one; the first signs, all verify.
 */
export async function cursorMacs(database: Database, configured: readonly string[]): Promise<readonly Mac[]> {
  const secrets = configured.length > 0 ? configured : [await getOrCreateSetting(database, NAME, makeSecret)];
  return secrets.map(macOf);
}

function macOf(secret: string): Mac {
  const key = createSecretKey(secret, 'utf8');
  return (bytes) => createHmac('sha256', key).update(bytes).digest();
}

function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}
