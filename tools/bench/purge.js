import { eventMigrations } from '../../libs/service/dist/feed/event-migrations.js';
import { EventPurge } from '../../libs/service/dist/feed/event-purge.js';
import { openDatabase } from '../../libs/service/dist/data/opening/open-database.js';
import pg from 'pg';

import { provideDatabase } from './database.js';
import { median } from './statistics.js';

const ROUNDS = 3;
const ROWS = 100_000;
/** Size of the data of an event. With its indexes, an event takes 1.33 kB. */
const DATA_BYTES = 900;
const HOUR_MS = 3_600_000;
/** Longer than the time for which the purge spares events for readers. */
const MARGIN_MS = 60_000;
const NOTHING = { warn: (/** @type {string} */ line) => console.warn(line) };
const WITHOUT_PARTITIONS = eventMigrations.filter(({ name }) => !name.startsWith('PartitionEvents'));

/** @typedef {{ rows: number, seconds: number, walBytes: number }} Cost */

/**
 * Measures the cost of deleting an hour of events on PostgreSQL: row by row, as before partitions; the `VACUUM` that
 * this requires; and as a partition. The server has no other writes meanwhile.
 * @returns {Promise<Record<string, Cost[]>>} the cost of each round.
 */
export async function measurePurge() {
  const deleted = /** @type {Cost[]} */ ([]);
  const vacuumed = /** @type {Cost[]} */ ([]);
  const dropped = /** @type {Cost[]} */ ([]);
  for (let round = 0; round < ROUNDS; round++) {
    await withEvents(WITHOUT_PARTITIONS, async (client, purge) => {
      deleted.push(await costOf(client, purge));
      vacuumed.push(await costOf(client, () => client.query('VACUUM events')));
    });
    await withEvents(eventMigrations, async (client, purge) => {
      dropped.push(await costOf(client, purge));
    });
  }
  return {
    'row by row, 1,000 at a time': deleted,
    'VACUUM of what they leave behind': vacuumed,
    'a partition that is dropped': dropped,
  };
}

/** @param {Record<string, Cost[]>} costs */
export function printPurge(costs) {
  console.log(`\nPostgreSQL: the purge of events, right after a checkpoint, the median of ${ROUNDS} rounds`);
  /** @param {Cost[]} rounds @param {keyof Cost} what */
  const usual = (rounds, what) => median(rounds.map((cost) => cost[what]));
  const rows = Object.entries(costs).map(([name, rounds]) => [
    name,
    {
      'rows gone': usual(rounds, 'rows'),
      seconds: Number(usual(rounds, 'seconds').toFixed(2)),
      'WAL MB': Number((usual(rounds, 'walBytes') / 1e6).toFixed(2)),
    },
  ]);
  console.table(Object.fromEntries(rows));
}

/**
 * @param {typeof eventMigrations} migrations
 * @param {(client: pg.Client, purge: () => Promise<unknown>) => Promise<void>} work with an hour of expired events.
 */
async function withEvents(migrations, work) {
  const { url, drop } = await provideDatabase('postgres');
  const database = await openDatabase({ dialect: 'postgres', url }, { migrations });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const purge = new EventPurge(database, NOTHING, HOUR_MS, HOUR_MS);
    await purge.prepare();
    // The next hour has its own partition. The last event is in the hour after it and is not deleted, because it marks
    // a position.
    const endMs = (Math.floor(Date.now() / HOUR_MS) + 2) * HOUR_MS;
    await client.query(
      `INSERT INTO events (id, type, object_id, api_version, data)
       SELECT (lpad(to_hex($1::bigint - n), 12, '0') || '70008' || substr(md5(n::text), 1, 15))::uuid, 'item.created',
         gen_random_uuid(), '2026-11-20', rpad(md5(n::text), $3, md5((-n)::text)) FROM generate_series(0, $2::int) n`,
      [endMs, ROWS, DATA_BYTES],
    );
    await client.query('VACUUM ANALYZE events');
    await work(client, () => purge.purge(undefined, endMs + HOUR_MS + MARGIN_MS));
  } finally {
    await client.end();
    await database.close();
    await drop();
  }
}

/** @param {pg.Client} client @param {() => Promise<unknown>} work @returns {Promise<Cost>} */
async function costOf(client, work) {
  /** @param {string} sql */
  const number = async (sql) => Number((await client.query(sql)).rows[0].n);
  const count = () => number('SELECT count(*) AS n FROM events');
  const rowsBefore = await count();
  await client.query('CHECKPOINT');
  const from = (await client.query('SELECT pg_current_wal_insert_lsn() AS place')).rows[0].place;
  const begun = performance.now();
  await work();
  const seconds = (performance.now() - begun) / 1000;
  const walBytes = await number(`SELECT pg_current_wal_insert_lsn() - '${from}'::pg_lsn AS n`);
  return { rows: rowsBefore - (await count()), seconds, walBytes };
}
