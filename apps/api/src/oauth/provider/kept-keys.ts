import { generateKeyPairSync, randomBytes } from 'node:crypto';

import type { JWK } from 'oidc-provider';

import type { Database } from '../../database/database.js';
import { keptSetting } from '../../database/kept-setting.js';

/** What signs, the same for all instances and after every start. */
export interface KeptKeys {
  readonly signing: JWK;
  /** For cookies. */
  readonly cookies: string;
}

/** The first instance makes the keys and keeps them in the database, for itself and for the others. */
export async function keptKeys(database: Database): Promise<KeptKeys> {
  const signing = await keptSetting(database, 'oauth_signing_key', () => JSON.stringify(makeSigningKey()));
  const cookies = await keptSetting(database, 'oauth_cookie_key', () => randomBytes(32).toString('base64url'));
  return { signing: JSON.parse(signing) as JWK, cookies };
}

function makeSigningKey(): JWK {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomBytes(8).toString('base64url');
  return { ...(privateKey.export({ format: 'jwk' }) as JWK), kid, use: 'sig', alg: 'ES256' };
}
