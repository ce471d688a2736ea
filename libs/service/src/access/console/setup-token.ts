import { randomBytes } from 'node:crypto';

import type { Queryable } from '../../data/database/database.js';
import type { Config } from '../../runtime/config/config.js';
import { hashSecret, isSameHash } from '../credentials/secrets/secret.js';

/** The setting contains the hash of the token and its expiry. */
const SETTING = 'setup_token';
const LIFETIME_MS = 24 * 60 * 60 * 1000;

const READ = 'SELECT value FROM settings WHERE name = $1';
const REPLACE =
  'INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value';
const REMOVE = 'DELETE FROM settings WHERE name = $1 AND value = $2 RETURNING name';
const ANY_USER = 'SELECT id FROM users LIMIT 1';

/** The first start prints no setup link if the operator has set a key, or people log in without passwords. */
export function isSetupOffered({ adminApiKey, oidcLogin }: Pick<Config, 'adminApiKey' | 'oidcLogin'>): boolean {
  return adminApiKey === undefined && oidcLogin?.only !== true;
}

/** 256 random bits, which replace an earlier token. */
export async function makeSetupToken(tx: Queryable, nowMs = Date.now()): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await tx.query(REPLACE, [SETTING, `${hashSecret(token)} ${String(nowMs + LIFETIME_MS)}`]);
  return token;
}

/** @returns The value for {@link takeSetupToken}. */
export async function findSetupToken(tx: Queryable, token: string, nowMs = Date.now()): Promise<string | undefined> {
  const [row] = await tx.query<{ value: string }>(READ, [SETTING]);
  const [stored = '', endsAtMs] = row?.value.split(' ') ?? [];
  const isRight = isSameHash(hashSecret(token), stored) && nowMs < Number(endsAtMs);
  return isRight ? row?.value : undefined;
}

/** @returns False if another request was faster. */
export async function takeSetupToken(tx: Queryable, value: string): Promise<boolean> {
  return (await tx.query(REMOVE, [SETTING, value])).length > 0;
}

export async function hasUsers(tx: Queryable): Promise<boolean> {
  return (await tx.query(ANY_USER)).length > 0;
}

/** The token is in the fragment, which is sent to no server and appears in no log. */
export function setupLink(baseUrl: string, token: string): string {
  return `${baseUrl}/console/setup#${token}`;
}
