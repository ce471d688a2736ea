import { formatTime } from '../../data/definition/column-codecs.js';
import type { ApiKeySecret } from '@items/dtos/contract';
import type { Queryable } from '../../data/database/database.js';

/** Public data of a secret. Times are in milliseconds since the epoch. */
export interface StoredSecret {
  readonly created_at: number;
  /** End of the grace period; null for the current secret. */
  readonly expires_at: number | null;
  readonly last_used_at: number | null;
}

const ADD = 'INSERT INTO api_key_secrets (hash, api_key_id, created_at) VALUES ($1, $2, $3)';
const REMOVE = 'DELETE FROM api_key_secrets WHERE api_key_id = $1';
const END_GRACE = `${REMOVE} AND expires_at IS NOT NULL`;
const BEGIN_GRACE = 'UPDATE api_key_secrets SET expires_at = $2 WHERE api_key_id = $1';
const SHOWN = `SELECT created_at, expires_at, last_used_at FROM api_key_secrets WHERE api_key_id = $1
  ORDER BY expires_at IS NOT NULL, created_at DESC`;
const NOTE_USE = `UPDATE api_key_secrets SET last_used_at = $2
  WHERE hash = $1 AND (last_used_at IS NULL OR last_used_at < $2) RETURNING api_key_id`;

/** Public data of a new, unused secret. */
export function newSecret(): StoredSecret {
  return { created_at: Date.now(), expires_at: null, last_used_at: null };
}

/** Stores the hash of a secret. Secrets have their own table because a key may have two during a rotation. */
export async function addSecret(tx: Queryable, hash: string, keyId: string, secret: StoredSecret): Promise<void> {
  await tx.query(ADD, [hash, keyId, secret.created_at]);
}

/** Deletes all secrets of a key. */
export async function removeSecrets(tx: Queryable, keyId: string): Promise<void> {
  await tx.query(REMOVE, [keyId]);
}

/**
 * Adds a new current secret. The former one works until its grace period ends; an older one ends now, so that at most
 * two are valid.
 */
export async function replaceSecret(tx: Queryable, hash: string, keyId: string, graceSeconds: number): Promise<void> {
  await tx.query(graceSeconds === 0 ? REMOVE : END_GRACE, [keyId]);
  await tx.query(BEGIN_GRACE, [keyId, Date.now() + graceSeconds * 1000]);
  await addSecret(tx, hash, keyId, newSecret());
}

/** Returns the public data of the secrets as JSON of {@link StoredSecret}s, newest first. */
export async function shownSecrets(tx: Queryable, keyId: string): Promise<string> {
  return JSON.stringify(await tx.query<StoredSecret>(SHOWN, [keyId]));
}

/**
 * Returns the valid secrets for a response, without those whose grace period has ended. @param stored null for none.
 */
export function validSecrets(stored: string | null): ApiKeySecret[] {
  return (JSON.parse(stored ?? '[]') as StoredSecret[])
    .filter(({ expires_at: expiresAt }) => expiresAt === null || expiresAt > Date.now())
    .map((secret) => ({
      created_at: formatTime(secret.created_at),
      expires_at: secret.expires_at === null ? null : formatTime(secret.expires_at),
      last_used_at: secret.last_used_at === null ? null : formatTime(secret.last_used_at),
    }));
}

/**
 * Stores the last use of a secret. @returns the id of its key; undefined if the secret is gone, or a later use is
 * stored.
 */
export async function noteUse(tx: Queryable, hash: string, usedAtMs: number): Promise<string | undefined> {
  const [secret] = await tx.query<{ api_key_id: string }>(NOTE_USE, [hash, usedAtMs]);
  return secret?.api_key_id;
}
