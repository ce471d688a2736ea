import type { Database } from './database.js';

const READ = 'SELECT value FROM settings WHERE name = $1';
const ADD = 'INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING';

export async function getOrCreateSetting(database: Database, name: string, make: () => string): Promise<string> {
  const [known] = await database.query<{ value: string }>(READ, [name]);
  if (known !== undefined) return known.value;
  return database.transaction(async (tx) => {
    await tx.query(ADD, [name, make()]);
    const [row] = await tx.query<{ value: string }>(READ, [name]);
    return String(row?.value);
  });
}
