import type { Transaction } from './database.js';

const LOCK = `INSERT INTO settings (name, value) VALUES ($1, '')
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/**
 * Locks a row of `settings` for a rule over many rows, because concurrent transactions do not see each other's changes.
 * @param name Name of the rule, such as `webhooks`.
 */
export async function lockByRow(tx: Transaction, name: string): Promise<void> {
  await tx.query(LOCK, [`lock:${name}`]);
}
