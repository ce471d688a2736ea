import type { Queryable } from '../../../data/database/database.js';

const ADD = 'INSERT INTO user_passwords (user_id, hash, version) VALUES ($1, $2, 1)';
/** Inserts the row if it is missing: imported users may have no password. */
const REPLACE = `${ADD} ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, version = user_passwords.version + 1`;
const REPLACE_IF_CURRENT =
  'UPDATE user_passwords SET hash = $2, version = version + 1 WHERE user_id = $1 AND version = $3 RETURNING user_id';
const REMOVE = 'DELETE FROM user_passwords WHERE user_id = $1';
/** A user without a password also gets a version, with an empty hash. */
const REVOKE = `INSERT INTO user_passwords (user_id, hash, version) VALUES ($1, '', 1)
  ON CONFLICT (user_id) DO UPDATE SET version = user_passwords.version + 1`;

export async function addPassword(tx: Queryable, userId: string, hash: string): Promise<void> {
  await tx.query(ADD, [userId, hash]);
}

/** Invalidates all credentials issued under the previous password. */
export async function replacePassword(tx: Queryable, userId: string, hash: string): Promise<void> {
  await tx.query(REPLACE, [userId, hash]);
}

/** @returns False if a concurrent change replaced the verified password. */
export async function replaceCurrentPassword(
  tx: Queryable,
  userId: string,
  hash: string,
  version: number,
): Promise<boolean> {
  return (await tx.query(REPLACE_IF_CURRENT, [userId, hash, version])).length > 0;
}

export async function removePassword(tx: Queryable, userId: string): Promise<void> {
  await tx.query(REMOVE, [userId]);
}

/** Invalidates issued credentials. The password stays valid. */
export async function revokeIssued(tx: Queryable, userId: string): Promise<void> {
  await tx.query(REVOKE, [userId]);
}
