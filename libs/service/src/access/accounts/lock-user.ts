import type { Dialect } from '../../data/schema/dialect.js';
import type { Transaction } from '../../data/database/database.js';

/**
 * Locks a user until the transaction ends: what counts the user's credentials, and adds one, is done for one of several
 * requests after the other. SQLite has one writer at a time anyway.
 * @returns false where there is no such user any more.
 */
export async function lockUser(tx: Transaction, dialect: Dialect, userId: string): Promise<boolean> {
  const lock = dialect === 'postgres' ? ' FOR UPDATE' : '';
  return (await tx.query(`SELECT id FROM users WHERE id = $1${lock}`, [userId])).length > 0;
}
