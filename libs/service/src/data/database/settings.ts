import type { Database, Queryable, Transaction } from './database.js';

const READ = 'SELECT value FROM settings WHERE name = $1';
const ADD = 'INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING RETURNING name';
const WRITE =
  'INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value';

export async function readSetting(tx: Queryable, name: string): Promise<string | undefined> {
  const [row] = await tx.query<{ value: string }>(READ, [name]);
  return row?.value;
}

export async function writeSetting(tx: Queryable, name: string, value: string): Promise<void> {
  await tx.query(WRITE, [name, value]);
}

/** @returns False if the setting already exists. */
export async function addSetting(tx: Queryable, name: string, value: string): Promise<boolean> {
  return (await tx.query(ADD, [name, value])).length > 0;
}

export async function getOrCreateSetting(database: Database, name: string, make: () => string): Promise<string> {
  const known = await readSetting(database, name);
  if (known !== undefined) return known;
  return database.transaction(async (tx) => {
    await addSetting(tx, name, make());
    return String(await readSetting(tx, name));
  });
}

/**
 * Locks a row of `settings`, so that checks of many rows run in turn: concurrent transactions would not see each
 * other's changes.
 * @param name Check, such as `webhooks`.
 */
export async function lockByRow(tx: Transaction, name: string): Promise<void> {
  await writeSetting(tx, `lock:${name}`, '');
}
