import type { Database } from '../database/database.js';
import { LANES } from '../schema/schema.js';

import type { ItemRow } from './oracle.testing.js';

const BATCH = 2000;
/** Almost half of the rows are red. */
export const COLORS = ['red', ...Array.from({ length: 40 }, (_, index) => `c${String(index)}`)];
/** Creation time of the first row. */
export const FIRST_MS = 1_700_000_000_000;

/** Many rows share a name at either end, a color, a price, and times. */
export function itemAt(index: number): ItemRow {
  const hash = (index * 2_654_435_761) % 2 ** 32;
  const names = ['Blue mug', 'Zinc mug'];
  const time = (share: number, ms: number): number => FIRST_MS + (hash % 10 < share ? 0 : ms);
  return {
    id: `018bcfe5-0000-7000-8000-${index.toString(16).padStart(12, '0')}`,
    created_at: time(2, index),
    updated_at: time(3, hash % 1_000_000),
    name: names[hash % 7] ?? `Item ${String(hash % 1_000_000)}`,
    description: `About item ${String(index)}: ${'a'.repeat(100)}`,
    color: hash % 16 === 0 ? null : hash % 16 < 8 ? 'red' : (COLORS[1 + (Math.floor(hash / 16) % 40)] ?? null),
    price: hash % 7 === 0 ? null : (Math.floor(hash / 7) % 500) * 100,
  };
}

/** Adds rows to the empty collection, as if each had been inserted separately. */
export async function addManyItems(database: Database, count: number): Promise<void> {
  const source =
    database.dialect === 'sqlite'
      ? `SELECT ${columnsOf((name) => `value ->> '${name}'`)} FROM json_each($1)`
      : `SELECT ${columnsOf((name) => name)} FROM json_to_recordset($1) AS rows (id uuid, created_at bigint, updated_at bigint,
           name text, description text, color text, price bigint)`;
  const counts = new Map<string, number>();
  for (let begin = 0; begin < count; begin += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - begin) }, (_, index) => itemAt(begin + index));
    for (const { color } of rows) if (color !== null) counts.set(color, (counts.get(color) ?? 0) + 1);
    await database.transaction((tx) =>
      tx.query(`INSERT INTO items (${columnsOf((name) => name)}, lane, seq) SELECT *, 0, 1 FROM (${source}) source`, [
        JSON.stringify(rows),
      ]),
    );
  }
  await database.transaction(async (tx) => {
    const clock = 1000 * (FIRST_MS + count + 1_000_000);
    await tx.query(`UPDATE collection_lanes SET seq = $1 WHERE collection = 'items'`, [clock]);
    await tx.query(`UPDATE collection_lanes SET n = $1 WHERE collection = 'items' AND lane = 0`, [count]);
    for (const [color, n] of counts) {
      const group = JSON.stringify([['color'], [color]]);
      await tx.query(`INSERT INTO collection_counts (collection, grp, lane, n) VALUES ('items', $1, $2, $3)`, [
        group,
        LANES[database.dialect] - 1,
        n,
      ]);
    }
  });
}

function columnsOf(write: (name: keyof ItemRow) => string): string {
  const names: (keyof ItemRow)[] = ['id', 'created_at', 'updated_at', 'name', 'description', 'color', 'price'];
  return names.map(write).join(', ');
}
