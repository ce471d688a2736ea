import type { Transaction } from './database.js';

const LOCK = `INSERT INTO settings (name, value) VALUES ($1, '')
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/**
 * Lets one transaction at a time go on from here, until it ends, on any database with unique rows: by a row of `settings` that
 * stays. For rules over many rows, of which each transaction would see the others' as they were.
 * @param name of the rule, such as `webhooks`.
 */
export async function lockByRow(tx: Transaction, name: string): Promise<void> {
  await tx.query(LOCK, [`lock:${name}`]);
}
