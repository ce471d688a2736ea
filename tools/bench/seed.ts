import { randomBytes } from 'node:crypto';

import { Sqlite } from '../../libs/service/dist/data/sqlite/sqlite.js';

const COLORS = ['red', 'green', 'blue', 'black', 'white', 'yellow', 'orange', 'violet'];

/** Fills a migrated SQLite database, updates the counters like the service, and returns a sample of the ids. */
export function seedItems(file: string, count: number): string[] {
  const database = new Sqlite(file);
  const insert = database.prepare(
    `INSERT INTO items (id, created_at, updated_at, lane, seq, name, description, color, price)
     VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?)`,
  );
  const ids: string[] = [];
  const start = Date.now() - count;
  database.exec('BEGIN');
  for (let index = 0; index < count; index++) {
    const id = uuidAt(start + index);
    const color = COLORS[index % COLORS.length];
    const price = (index * 7919) % 100_000;
    insert.run(id, start + index, start + index, index + 1, `Item ${index}`, `What item ${index} is`, color, price);
    if (index % Math.ceil(count / 1000) === 0) ids.push(id);
  }
  database.prepare("UPDATE collection_lanes SET seq = ?, n = ? WHERE collection = 'items'").run(count + 1, count);
  database
    .prepare(
      `INSERT INTO collection_counts (collection, grp, lane, n)
         SELECT 'items', '[["color"],[' || json_quote(color) || ']]', 0, count(*) FROM items GROUP BY color`,
    )
    .run();
  database.exec('COMMIT');
  database.close();
  return ids;
}

/** Creates a UUIDv7 for a time. RFC 9562 §5.7 */
export function uuidAt(ms: number) {
  const time = ms.toString(16).padStart(12, '0');
  const random = randomBytes(10).toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`;
}
