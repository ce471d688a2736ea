import { Sqlite } from '../../libs/service/dist/data/sqlite/sqlite.js';
import pg from 'pg';

const TYPE = 'item.created';
const VERSION = '2026-11-20';
const DATA = JSON.stringify({
  object: {
    id: '01890000-0000-7000-8000-000000000001',
    name: 'A mug',
    description: 'A mug as one would wish for, of stoneware',
    color: 'red',
    price: 12.5,
    created_at: '2026-11-20T09:30:00.000Z',
    updated_at: '2026-11-20T09:30:00.000Z',
  },
});
const TOP = 'SELECT max(seq) AS top FROM collection_lanes WHERE emits = 1';
const BEYOND = `UPDATE collection_lanes SET seq = %, event_seq = % WHERE emits = 1`;

/** Appends events to a feed, one microsecond apart. No service may write to the feed meanwhile. */
export async function seedFeed(url: string, count: number) {
  if (url.startsWith('sqlite:')) seedSqlite(url.slice('sqlite:'.length), count);
  else await seedPostgres(url, count);
}

function seedSqlite(file: string, count: number) {
  const database = new Sqlite(file);
  const { top } = database.prepare(TOP).get() as { top: number };
  const id = `printf('%08x-%04x-7%03x-8%03x-%012x', s / 1000 >> 16, (s / 1000) & 65535, s % 1000, s & 4095, s)`;
  database
    .prepare(
      `INSERT INTO events (place, id, type, object_id, api_version, data)
       WITH RECURSIVE stamps (s) AS (SELECT ? UNION ALL SELECT s + 1 FROM stamps WHERE s < ?)
       SELECT 2 * s, ${id}, ?, printf('%08x-0000-7000-8000-000000000000', s & 4294967295), ?, ? FROM stamps`,
    )
    .run(top + 1, top + count, TYPE, VERSION, DATA);
  database.prepare(BEYOND.replaceAll('%', String(top + count))).run();
  database.close();
}

async function seedPostgres(url: string, count: number) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const top = Number((await client.query(TOP)).rows[0].top);
  const id = `lpad(to_hex(s / 1000), 12, '0') || '7' || lpad(to_hex(s % 1000), 3, '0') || '8' || substr(md5(s::text), 1, 15)`;
  await client.query(
    `INSERT INTO events (id, type, object_id, api_version, data)
     SELECT (${id})::uuid, $3, gen_random_uuid(), $4, $5 FROM generate_series($1::bigint, $2::bigint) s`,
    [top + 1, top + count, TYPE, VERSION, DATA],
  );
  await client.query(BEYOND.replaceAll('%', String(top + count)));
  await client.query('ANALYZE events');
  await client.end();
}
