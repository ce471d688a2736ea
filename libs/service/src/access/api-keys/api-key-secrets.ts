import type { Queryable } from '../../data/database/database.js';
import { RotatingSecrets } from '../credentials/secrets/rotating-secrets.js';

const NOTE_USE = `UPDATE api_key_secrets SET last_used_at = $2
  WHERE hash = $1 AND (last_used_at IS NULL OR last_used_at < $2) RETURNING api_key_id`;

export const apiKeySecrets = new RotatingSecrets({
  name: 'api_key_secrets',
  owner: 'api_key_id',
  secret: 'hash',
  shown: ['created_at', 'expires_at', 'last_used_at'],
});

/** @returns Undefined if the secret is gone, or a later use is stored. */
export async function noteUse(tx: Queryable, hash: string, usedAtMs: number): Promise<string | undefined> {
  const [secret] = await tx.query<{ api_key_id: string }>(NOTE_USE, [hash, usedAtMs]);
  return secret?.api_key_id;
}
