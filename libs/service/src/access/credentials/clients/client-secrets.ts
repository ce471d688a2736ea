import type { Queryable } from '../../../data/database/database.js';

import { hashed } from '../tokens/hashed.js';

/** Prefix of client secrets, so that scanners can find leaked ones. */
const PREFIX = 'ics_';
const FORM = new RegExp(`^${PREFIX}[A-Za-z0-9_-]{43}$`);

const ADD = 'INSERT INTO client_secrets (hash, client_id, created_at) VALUES ($1, $2, $3)';
/** Ends all secrets but the newest: the previous one at the end of the grace period, older ones now. */
const END_OTHERS = `UPDATE client_secrets SET expires_at = CASE WHEN expires_at IS NULL THEN CAST($2 AS bigint) ELSE 0 END
  WHERE client_id = $1`;
const FORGET = 'DELETE FROM client_secrets WHERE client_id = $1 AND expires_at <= $2';
const LIVE = 'SELECT hash FROM client_secrets WHERE client_id = $1 AND (expires_at IS NULL OR expires_at > $2)';

/** Creates a secret. @param random result of `randomToken` */
export function clientSecret(random: string): string {
  return PREFIX + random;
}

/** Tests the form of a secret, so that other texts are refused without a look-up. */
export function isClientSecret(text: string): boolean {
  return FORM.test(text);
}

export async function addClientSecret(tx: Queryable, clientId: string, secret: string): Promise<void> {
  await tx.query(ADD, [hashed(secret), clientId, Date.now()]);
}

/** Replaces a client's secret. The old one works until the grace period ends. */
export async function rotateClientSecret(
  tx: Queryable,
  clientId: string,
  secret: string,
  graceEndsAtMs: number,
): Promise<void> {
  await tx.query(END_OTHERS, [clientId, graceEndsAtMs]);
  await tx.query(FORGET, [clientId, Date.now()]);
  await addClientSecret(tx, clientId, secret);
}

export async function removeClientSecrets(tx: Queryable, clientId: string): Promise<void> {
  await tx.query('DELETE FROM client_secrets WHERE client_id = $1', [clientId]);
}

/** @returns the hashes of the secrets that are valid now. */
export async function liveSecretHashes(database: Queryable, clientId: string): Promise<string[]> {
  const rows = await database.query<{ hash: string }>(LIVE, [clientId, Date.now()]);
  return rows.map(({ hash }) => hash);
}
