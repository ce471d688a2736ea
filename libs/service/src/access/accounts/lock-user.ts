import type { Dialect } from '../../data/schema/dialect.js';
import type { Transaction } from '../../data/database/database.js';

/**
 * Locks a user, so that concurrent requests count and add credentials one after the other. SQLite has one writer
 * anyway.
 */
export async function lockUser(tx: Transaction, dialect: Dialect, userId: string): Promise<boolean> {
  const lock = dialect === 'postgres' ? ' FOR UPDATE' : '';
  return (await tx.query(`SELECT id FROM users WHERE id = $1${lock}`, [userId])).length > 0;
}
