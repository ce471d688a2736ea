import { generateKeyPairSync, randomBytes } from 'node:crypto';

import type { JWK } from 'oidc-provider';

import type { Database } from '../../database/database.js';

/** What signs, the same for all instances and after every start. */
export interface KeptKeys {
  readonly signing: JWK;
  /** For cookies. */
  readonly cookies: string;
}

/** The first instance makes the keys and keeps them in the database, for itself and for the others. */
export async function keptKeys(database: Database): Promise<KeptKeys> {
  const signing = await kept(database, 'oauth_signing_key', () => JSON.stringify(makeSigningKey()));
  const cookies = await kept(database, 'oauth_cookie_key', () => randomBytes(32).toString('base64url'));
  return { signing: JSON.parse(signing) as JWK, cookies };
}

async function kept(database: Database, name: string, make: () => string): Promise<string> {
  const read = 'SELECT value FROM settings WHERE name = $1';
  const [known] = await database.query<{ value: string }>(read, [name]);
  if (known !== undefined) return known.value;
  return database.transaction(async (tx) => {
    const add = 'INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING';
    await tx.query(add, [name, make()]);
    const [row] = await tx.query<{ value: string }>(read, [name]);
    return String(row?.value);
  });
}

function makeSigningKey(): JWK {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomBytes(8).toString('base64url');
  return { ...(privateKey.export({ format: 'jwk' }) as JWK), kid, use: 'sig', alg: 'ES256' };
}
