import { formatTime } from '../../data/definition/column-codecs.js';
import type { ApiKeySecret } from '@items/dtos/contract';
import type { Queryable } from '../../data/database/database.js';

/** What is shown of a secret; times in milliseconds since the epoch. */
export interface StoredSecret {
  readonly created_at: number;
  /** End of its grace; null for the current one. */
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

/** Current from now on, and never used. */
export function newSecret(): StoredSecret {
  return { created_at: Date.now(), expires_at: null, last_used_at: null };
}

/** Adds a secret to a key, as its hash. A table of its own, so that a key may have two while one replaces the other. */
export async function addSecret(tx: Queryable, hash: string, keyId: string, secret: StoredSecret): Promise<void> {
  await tx.query(ADD, [hash, keyId, secret.created_at]);
}

/** Takes all secrets from a key. */
export async function removeSecrets(tx: Queryable, keyId: string): Promise<void> {
  await tx.query(REMOVE, [keyId]);
}

/**
 * Puts a new secret in the place of the current one, which works on until its grace ends; one that was in its grace
 * already ends now: at most two are valid.
 */
export async function replaceSecret(tx: Queryable, hash: string, keyId: string, graceSeconds: number): Promise<void> {
  await tx.query(graceSeconds === 0 ? REMOVE : END_GRACE, [keyId]);
  await tx.query(BEGIN_GRACE, [keyId, Date.now() + graceSeconds * 1000]);
  await addSecret(tx, hash, keyId, newSecret());
}

/** What a key shows of its secrets, as JSON of {@link StoredSecret}s, newest first. */
export async function shownSecrets(tx: Queryable, keyId: string): Promise<string> {
  return JSON.stringify(await tx.query<StoredSecret>(SHOWN, [keyId]));
}

/** The same as it is shown: one whose grace has ended is not valid any more. @param stored null for none. */
export function validSecrets(stored: string | null): ApiKeySecret[] {
  return (JSON.parse(stored ?? '[]') as StoredSecret[])
    .filter(({ expires_at: expiresAt }) => expiresAt === null || expiresAt > Date.now())
    .map((secret) => ({
      created_at: formatTime(secret.created_at),
      expires_at: secret.expires_at === null ? null : formatTime(secret.expires_at),
      last_used_at: secret.last_used_at === null ? null : formatTime(secret.last_used_at),
    }));
}

/** @returns the key whose secret it is; undefined where it is gone, or a later use is known. */
export async function noteUse(tx: Queryable, hash: string, usedAtMs: number): Promise<string | undefined> {
  const [secret] = await tx.query<{ api_key_id: string }>(NOTE_USE, [hash, usedAtMs]);
  return secret?.api_key_id;
}
