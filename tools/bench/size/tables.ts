const COLUMNS = 'id, created_at, updated_at, name, description, color, price';
const START = 1_700_000_000_000;

export type Dialect = 'sqlite' | 'postgres';
export type Row = Record<string, unknown>;
export type Run = (sql: string) => Promise<Row[]>;
interface Database {
  dialect: Dialect;
  run: Run;
}

/** SQL that differs between the two databases. */
const dialects = {
  sqlite: {
    series: (n: number) =>
      `(WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ${n}) SELECT i FROM s)`,
    id: `printf('%08x-%04x-7000-8000-%012x', (${START} + i) >> 16, (${START} + i) & 65535, i)`,
    quoted: 'json_quote(color)',
    indexes: "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'items' AND sql IS NOT NULL",
    lane: '0',
  },
  postgres: {
    series: (n: number) => `generate_series(1::bigint, ${n}) AS s (i)`,
    id: `(lpad(to_hex((${START} + i) >> 16), 8, '0') || '-' || lpad(to_hex((${START} + i) & 65535), 4, '0') ||
      '-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid`,
    quoted: 'to_json(color)::text',
    indexes:
      "SELECT indexname AS name, indexdef AS sql FROM pg_indexes WHERE tablename = 'items' AND indexname <> 'items_pkey'",
    lane: 'mod(price, 16)',
  },
};

/** Fills the collection, and a plain table with the same rows and indexes but no versions and counters. */
export async function fill({ dialect, run }: Database, rows: number) {
  const { series, id, quoted, indexes } = dialects[dialect];
  const found = await run(indexes);
  for (const { name } of found) await run(`DROP INDEX ${String(name)}`);
  await run(`INSERT INTO items (${COLUMNS}, lane, seq)
    SELECT ${id}, ${START} + i, ${START} + i, 'name ' || ((i * 7919) % ${rows}), 'What item ' || i || ' is',
      CASE i % 10 WHEN 0 THEN NULL WHEN 1 THEN 'red' ELSE 'color ' || (i % 10) END, (i * 7919) % 1000000, 0, 1
    FROM ${series(rows)}`);
  await run(`CREATE TABLE plain AS SELECT ${COLUMNS} FROM items`);
  await run('CREATE UNIQUE INDEX plain_id ON plain (id)');
  for (const { sql } of found) {
    await run(String(sql));
    await run(
      String(sql)
        .replace('items_by', 'plain_by')
        .replace(/ ON (public\.)?items /, ' ON plain '),
    );
  }
  await run(`UPDATE collection_lanes SET n = ${rows} WHERE collection = 'items' AND lane = 0`);
  await run(`INSERT INTO collection_counts (collection, grp, lane, n)
    SELECT 'items', '[["color"],[' || ${quoted} || ']]', 0, count(*) FROM items WHERE color IS NOT NULL GROUP BY color`);
  await run(dialect === 'sqlite' ? 'ANALYZE' : 'VACUUM ANALYZE');
}

/**
 * Changes rows at even distances in the list by price. Writes versions and the lanes' clocks as the service would, but
 * gives all changes the same clock number, to be fast.
 */
export async function changeRows({ dialect, run }: Database, rows: number, changes: number) {
  const { lane } = dialects[dialect];
  const seq = Date.now() * 1000;
  const chosen = `price % ${Math.max(1, Math.floor(rows / changes))} = 0`;
  await run(`INSERT INTO items_versions (${COLUMNS}, lane, seq, lane_to, seq_to)
    SELECT ${COLUMNS}, lane, seq, ${lane}, ${seq} FROM items WHERE ${chosen}`);
  await run(`UPDATE items SET lane = ${lane}, seq = ${seq}, price = (price * 31 + 17) % 1000000 WHERE ${chosen}`);
  await run(`UPDATE collection_lanes SET seq = ${seq} WHERE collection = 'items'`);
}
