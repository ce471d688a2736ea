import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Database } from '../../../data/database/database.js';
import { getOrCreateSetting } from '../../../data/database/settings.js';
import type { JWK } from 'oidc-provider';

export const SERVER_KEYS = Symbol('SERVER_KEYS');

/** Keys in the database. All instances share them, even after a restart. */
export interface ServerKeys {
  readonly signing: JWK;
  readonly cookies: string;
}

export async function serverKeys(database: Database): Promise<ServerKeys> {
  const signing = await getOrCreateSetting(database, 'oauth_signing_key', () => JSON.stringify(makeSigningKey()));
  const cookies = await getOrCreateSetting(database, 'oauth_cookie_key', () => randomBytes(32).toString('base64url'));
  return { signing: JSON.parse(signing) as JWK, cookies };
}

function makeSigningKey(): JWK {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomBytes(8).toString('base64url');
  return { ...(privateKey.export({ format: 'jwk' }) as JWK), kid, use: 'sig', alg: 'ES256' };
}
