import { eventMigrations } from '../../libs/service/dist/feed/event-migrations.js';
import { EventPurge } from '../../libs/service/dist/feed/event-purge.js';
import { CollectionService } from '../../libs/service/dist/data/collections/collection-service.js';
import { Idempotency } from '../../libs/service/dist/data/idempotency/idempotency.js';
import { DeliveryPurge } from '../../libs/service/dist/webhooks/deliveries/delivery-purge.js';
import { deliveryCollection } from '../../libs/service/dist/webhooks/routes/delivery.collection.js';
import { webhookMigrations } from '../../libs/service/dist/webhooks/definition/webhook-migrations.js';
import { openDatabase } from '../../libs/service/dist/data/opening/open-database.js';
import pg from 'pg';

import { provideDatabase } from './database.js';
import { median } from './statistics.js';

const ROUNDS = 3;
const ROWS = 50_000;
/** Size of the data of an event. With its indexes, an event takes 1.33 kB. */
const DATA_BYTES = 900;
const HOUR_MS = 3_600_000;
const RETAINED_MS = 5 * HOUR_MS;
/** Longer than the time for which the purge spares events for readers. */
const MARGIN_MS = 60_000;
const MIGRATIONS = [...eventMigrations, ...webhookMigrations];
const NOTHING = { warn: (/** @type {string} */ line) => console.warn(line) };
const WEBHOOK = '019aa7e5-00ff-73e7-8000-ffffffffffff';
const POLICY = { seals: [], ttlMs: HOUR_MS };

/** @typedef {{ rows: number, statements: number, seconds: number, walBytes: number }} Cost */
/** @typedef {import('../../libs/service/dist/data/database/database.js').Database} Database */
/** @typedef {{ prepare(): Promise<void>, purge(stop: undefined, nowMs: number): Promise<unknown> }} Purge */

/**
 * A table in partitions, with a purge and SQL that inserts `ROWS` rows, of which all but one expire.
 * @type {readonly { name: string, partitioning: string, purgeOf: (database: Database) => Purge, insertSql: string }[]}
 */
const TABLES = [
  {
    name: 'events',
    partitioning: 'PartitionEvents',
    purgeOf: (database) => new EventPurge(database, NOTHING, RETAINED_MS, HOUR_MS),
    insertSql: `INSERT INTO events (id, type, object_id, api_version, data)
      SELECT (lpad(to_hex($1::bigint - n), 12, '0') || '70008' || substr(md5(n::text), 1, 15))::uuid, 'item.created',
        gen_random_uuid(), '2026-11-20', rpad(md5(n::text), ${String(DATA_BYTES)}, md5((-n)::text))
      FROM generate_series(0, $2::int) n`,
  },
  {
    name: 'deliveries',
    partitioning: 'PartitionDeliveries',
    purgeOf: (database) => {
      const rows = new CollectionService(database, new Idempotency(database), POLICY, deliveryCollection);
      return new DeliveryPurge(database, rows, NOTHING, RETAINED_MS, HOUR_MS);
    },
    insertSql: `INSERT INTO deliveries (id, created_at, updated_at, lane, seq, webhook_id, event_id, type, status, attempts)
      SELECT (lpad(to_hex($1::bigint - n), 12, '0') || '70008' || substr(md5(n::text), 1, 15))::uuid, $1 - n, $1 - n, 0, 0,
        '${WEBHOOK}', gen_random_uuid()::text, 'item.created', 'succeeded',
        '[{"at":"2026-11-20T00:00:00.000Z","duration_ms":12,"status_code":204,"error":null}]'
      FROM generate_series(0, $2::int) n`,
  },
];

/**
 * Measures the cost of deleting an hour of events, or of deliveries, on PostgreSQL: row by row, as before partitions;
 * the `VACUUM` that this requires; and as a partition. The server has no other writes meanwhile.
 * @returns {Promise<Record<string, Cost[]>>} the cost of each round.
 */
export async function measurePurge() {
  /** @type {Record<string, Cost[]>} */
  const costs = {};
  for (const table of TABLES) {
    const deleted = (costs[`${table.name}, row by row`] = /** @type {Cost[]} */ ([]));
    const vacuumed = (costs[`VACUUM ${table.name}`] = /** @type {Cost[]} */ ([]));
    const dropped = (costs[`${table.name}, a partition that is dropped`] = /** @type {Cost[]} */ ([]));
    const before = MIGRATIONS.filter(({ name }) => !name.startsWith(table.partitioning));
    for (let round = 0; round < ROUNDS; round++) {
      await withRows(table, before, async (client, purge) => {
        deleted.push(await costOf(client, table.name, purge));
        vacuumed.push(await costOf(client, table.name, () => client.query(`VACUUM ${table.name}`)));
      });
      await withRows(table, MIGRATIONS, async (client, purge) => {
        dropped.push(await costOf(client, table.name, purge));
      });
    }
  }
  return costs;
}

/** @param {Record<string, Cost[]>} costs */
export function printPurge(costs) {
  console.log(`\nPostgreSQL: the purges, right after a checkpoint, the median of ${ROUNDS} rounds`);
  /** @param {Cost[]} rounds @param {keyof Cost} what */
  const usual = (rounds, what) => median(rounds.map((cost) => cost[what]));
  const rows = Object.entries(costs).map(([name, rounds]) => [
    name,
    {
      'rows gone': usual(rounds, 'rows'),
      statements: usual(rounds, 'statements'),
      seconds: Number(usual(rounds, 'seconds').toFixed(2)),
      'WAL MB': Number((usual(rounds, 'walBytes') / 1e6).toFixed(2)),
    },
  ]);
  console.table(Object.fromEntries(rows));
}

/**
 * @param {(typeof TABLES)[number]} table
 * @param {typeof MIGRATIONS} migrations
 * @param {(client: pg.Client, purge: () => Promise<unknown>) => Promise<void>} work with an hour of expired rows.
 */
async function withRows({ name, purgeOf, insertSql }, migrations, work) {
  const { url, drop } = await provideDatabase('postgres');
  const database = await openDatabase({ dialect: 'postgres', url }, { migrations });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const purge = purgeOf(database);
    await purge.prepare();
    // The next hour has its own partition. The last event is in the hour after it and is not deleted, because it marks
    // a position.
    const endMs = (Math.floor(Date.now() / HOUR_MS) + 2) * HOUR_MS;
    await client.query(insertSql, [endMs, ROWS]);
    await client.query(`VACUUM ANALYZE ${name}`);
    await work(client, () => purge.purge(undefined, endMs + RETAINED_MS + MARGIN_MS));
  } finally {
    await client.end();
    await database.close();
    await drop();
  }
}

/** @param {pg.Client} client @param {string} table @param {() => Promise<unknown>} work @returns {Promise<Cost>} */
async function costOf(client, table, work) {
  /** @param {string} sql */
  const number = async (sql) => Number((await client.query(sql)).rows[0].n);
  const count = () => number(`SELECT count(*) AS n FROM ${table}`);
  const rowsBefore = await count();
  await client.query('CHECKPOINT');
  const from = (await client.query('SELECT pg_current_wal_insert_lsn() AS place')).rows[0].place;
  const begun = performance.now();
  const statements = await statementsOf(work);
  const seconds = (performance.now() - begun) / 1000;
  const walBytes = await number(`SELECT pg_current_wal_insert_lsn() - '${from}'::pg_lsn AS n`);
  return { rows: rowsBefore - (await count()), statements, seconds, walBytes };
}

/** @param {() => Promise<unknown>} work @returns {Promise<number>} the number of statements that this process sent. */
async function statementsOf(work) {
  const { query } = pg.Client.prototype;
  let sent = 0;
  /** @type {any} */ (pg.Client.prototype).query = function (/** @type {any[]} */ ...given) {
    sent += 1;
    return /** @type {any} */ (query).apply(this, given);
  };
  try {
    await work();
    return sent;
  } finally {
    pg.Client.prototype.query = query;
  }
}
