import type { Queryable } from '../../data/database/database.js';
import { readSetting, writeSetting } from '../../data/database/settings.js';
import type { Config } from '../../runtime/config/config.js';
import { hashSecret, isSameHash, randomToken } from '../credentials/secrets/secret.js';

/** The setting contains the hash of the token and its expiry. */
const SETTING = 'setup_token';
const LIFETIME_MS = 24 * 60 * 60 * 1000;

const REMOVE = 'DELETE FROM settings WHERE name = $1 AND value = $2 RETURNING name';
const ANY_USER = 'SELECT id FROM users LIMIT 1';

/** False if the operator set an admin key, or users log in only through an identity provider. */
export function isSetupOffered({ adminApiKey, oidcLogin }: Pick<Config, 'adminApiKey' | 'oidcLogin'>): boolean {
  return adminApiKey === undefined && oidcLogin?.only !== true;
}

export async function makeSetupToken(tx: Queryable, nowMs = Date.now()): Promise<string> {
  const token = randomToken();
  await writeSetting(tx, SETTING, `${hashSecret(token)} ${String(nowMs + LIFETIME_MS)}`);
  return token;
}

export async function findSetupToken(tx: Queryable, token: string, nowMs = Date.now()): Promise<string | undefined> {
  const value = await readSetting(tx, SETTING);
  const [stored = '', endsAtMs] = value?.split(' ') ?? [];
  return isSameHash(hashSecret(token), stored) && nowMs < Number(endsAtMs) ? value : undefined;
}

/** @returns False if another request has used the token. */
export async function takeSetupToken(tx: Queryable, value: string): Promise<boolean> {
  return (await tx.query(REMOVE, [SETTING, value])).length > 0;
}

export async function hasUsers(tx: Queryable): Promise<boolean> {
  return (await tx.query(ANY_USER)).length > 0;
}

/** Puts the token into the fragment, which browsers never send, so that the token appears in no log. */
export function setupLink(baseUrl: string, token: string): string {
  return `${baseUrl}/console/setup#${token}`;
}
