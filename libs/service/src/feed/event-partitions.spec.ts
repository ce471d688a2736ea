import { setTimeout as sleep } from 'node:timers/promises';

import { openDatabase } from '../data/opening/open-database.js';
import type { Database } from '../data/database/database.js';
import type { DatabaseSchema } from '../data/database/database-options.js';
import { postgresSource } from '../data/postgres/postgres-source.js';
import { BUSY_MS, askPostgres, createDatabase, isLongForm, postgresUnderTest, withMovableClock } from '@items/testing';
import { Client } from 'pg';
import type { QueryRunner } from 'typeorm';

import { firstIdAt, lastIdAt } from './event-id.js';
import { eventMigrations } from './event-migrations.js';
import { EventPartitions, EventPurge } from './event-purge.js';
import { partitionTable } from './partition-table.js';
import { ALL, DAY_MS, Library, openLibrary, type BookDto } from './testing/library.testing.js';

const MINUTE_MS = 60_000;
/** Number of partitions that one test drops, ten a second. */
const DROPPED = isLongForm ? 60 : 20;
/** Name of a partition of a day, or of a part of a day. */
const DATED = /^events_\d+$/;
const ADD_ONE = `INSERT INTO events (id, type, api_version, data) VALUES ('${firstIdAt(1000)}', 'book.created', '', '{}')`;
const SCHEMA = { migrations: eventMigrations };
const UNPARTITION = `CREATE TABLE plain (LIKE events INCLUDING ALL);
  DROP TABLE events;
  ALTER TABLE plain RENAME TO events;
  ALTER INDEX plain_pkey RENAME TO events_pkey`;
const SHAPES =
  "SELECT replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') AS definition FROM pg_index WHERE indrelid = 'events'::regclass ORDER BY 1";
/** A migration of a later version. */
class Later1999999999999 {
  async up(): Promise<void> {}
}

(postgresUnderTest() === undefined ? describe.skip : describe)('The table of events on PostgreSQL', () => {
  let url: string;
  let drop: () => Promise<void>;
  let database: Database;
  const opened: Database[] = [];

  const open = async (schema: DatabaseSchema = SCHEMA): Promise<Database> => {
    const found = await openDatabase({ dialect: 'postgres', url }, schema);
    opened.push(found);
    return found;
  };
  /** Runs a step of a migration. */
  const migrate = async (work: (runner: QueryRunner) => Promise<void>): Promise<void> => {
    const source = await postgresSource(url, SCHEMA);
    const runner = source.createQueryRunner();
    await work(runner);
    await runner.release();
    await source.destroy();
  };
  const openUnpartitioned = async (): Promise<Database> => {
    await (await openDatabase({ dialect: 'postgres', url }, SCHEMA)).close();
    await askPostgres(url, UNPARTITION);
    return open();
  };
  const insert = (ms: number): Promise<unknown> =>
    database.query("INSERT INTO events (id, type, api_version, data) VALUES ($1, 'book.created', '', '{}')", [
      firstIdAt(ms),
    ]);
  const partitions = async (): Promise<string[]> => {
    const sql =
      "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'events'::regclass ORDER BY 1";
    return (await database.query<{ name: string }>(sql)).map(({ name }) => name);
  };
  const ids = async (): Promise<string[]> =>
    (await database.query<{ id: string }>('SELECT id FROM events ORDER BY id')).map(({ id }) => id);
  const tableOf = async (ms: number): Promise<string | undefined> =>
    (
      await database.query<{ name: string }>('SELECT tableoid::regclass::text AS name FROM events WHERE id = $1', [
        firstIdAt(ms),
      ])
    )[0]?.name;

  beforeEach(async () => {
    ({ url, drop } = await createDatabase());
  });
  afterEach(async () => {
    for (const found of opened.splice(0)) await found.close();
    await drop();
  });

  it('has partitions for today and three more days, and a default partition', async () => {
    database = await open();
    const nowMs = Date.now() + 10 * 86_400_000;
    const days = new EventPartitions(database, MINUTE_MS);
    await Promise.all([days.makeAhead(nowMs), new EventPartitions(await open(), MINUTE_MS).makeAhead(nowMs)]);
    await days.makeAhead(nowMs);
    expect(await partitions()).toHaveLength(2 + 4);
    for (let minute = -1; minute <= 4; minute += 1) await insert(nowMs + minute * MINUTE_MS);
    const made = await Promise.all([0, 1, 2, 3].map((minute) => tableOf(nowMs + minute * MINUTE_MS)));
    expect(new Set(made).size).toBe(4);
    expect(await tableOf(nowMs + 4 * MINUTE_MS)).toBe('events_rest');
    // Later partitions begin after the rows of the default partition, and may have another length.
    await new EventPartitions(database, 2 * MINUTE_MS).makeAhead(nowMs + 6 * MINUTE_MS);
    await insert(nowMs + 9 * MINUTE_MS);
    expect(await tableOf(nowMs + 9 * MINUTE_MS)).toMatch(/^events_\d+$/);
    expect(await ids()).toHaveLength(7);
  });

  describe('has statistics of the whole table, which autovacuum never collects', () => {
    const columns = async (): Promise<string[]> => {
      const sql = "SELECT attname AS name FROM pg_stats WHERE tablename = 'events' AND inherited ORDER BY 1";
      return (await database.query<{ name: string }>(sql)).map(({ name }) => name);
    };
    const INDEXED = ['id', 'object_id', 'owner_id', 'type'];

    it('after a partition is created', async () => {
      database = await open();
      const days = new EventPartitions(database, MINUTE_MS);
      const nowMs = Date.now();
      await days.makeAhead(nowMs);
      await insert(nowMs);
      await days.makeAhead(nowMs);
      expect(await columns()).toEqual([]);
      await days.makeAhead(nowMs + MINUTE_MS);
      expect(await columns()).toEqual(INDEXED);
    });

    it('after a migration, and after a start without statistics', async () => {
      database = await open();
      await insert(Date.now());
      await open({ migrations: [...eventMigrations, Later1999999999999] });
      expect(await columns()).toEqual(INDEXED);
      await database.query("DELETE FROM pg_statistic WHERE starelid = 'events'::regclass");
      await open(SCHEMA);
      expect(await columns()).toEqual([]);
      await database.query("UPDATE pg_class SET reltuples = -1 WHERE oid = 'events'::regclass");
      await open(SCHEMA);
      expect(await columns()).toEqual(INDEXED);
    });
  });

  it('drops expired partitions, except for the last expired row', async () => {
    database = await open();
    const nowMs = Date.now() + 10 * 86_400_000;
    const days = new EventPartitions(database, MINUTE_MS);
    for (let minute = 0; minute < 8; minute += 4) await days.makeAhead(nowMs + minute * MINUTE_MS);
    for (const minute of [0, 1, 2, 5]) await insert(nowMs + minute * MINUTE_MS);
    // Drops `events_before`, the first two and the fourth. The third has the last expired row; the fourth is empty.
    expect(await days.drop(lastIdAt(nowMs + 4 * MINUTE_MS))).toBe(4);
    expect(await ids()).toEqual([2, 5].map((minute) => firstIdAt(nowMs + minute * MINUTE_MS)));
    expect(await days.drop(lastIdAt(nowMs + 100 * MINUTE_MS))).toBeGreaterThan(0);
    expect(await ids()).toEqual([firstIdAt(nowMs + 5 * MINUTE_MS)]);
  });

  it('drops partitions even if new ones cannot be created', async () => {
    database = await open();
    const nowMs = Date.now() + 10 * 86_400_000;
    const days = new EventPartitions(database, MINUTE_MS);
    await days.makeAhead(nowMs);
    for (const minute of [0, 1, 2]) await insert(nowMs + minute * MINUTE_MS);
    const [, , ...later] = await partitions();
    const warn = jest.fn();
    const purge = new EventPurge(database, { warn }, MINUTE_MS, MINUTE_MS);
    const making = jest.spyOn(EventPartitions.prototype, 'makeAhead').mockRejectedValue(new Error('not now'));
    await withMovableClock(() => purge.runNow(), nowMs + 3.5 * MINUTE_MS);
    making.mockRestore();
    expect(warn.mock.calls).toEqual([
      ['Could not delete expired events or create partitions; retrying later: Error: not now'],
    ]);
    expect(await ids()).toEqual([firstIdAt(nowMs + 2 * MINUTE_MS)]);
    expect(await partitions()).toEqual(later.filter((name) => name !== 'events_before'));
  });

  it.each([
    ['in a partition of their day', false],
    ['in the default partition, because a lock is held at the start', true],
  ])('gets writes immediately after a week without the service, %s; then everything works', async (_, isHeld) => {
    const KEPT_MS = 3 * DAY_MS;
    const warn = jest.fn();
    await withMovableClock(async (pass) => {
      database = await openLibrary({ dialect: 'postgres', url });
      opened.push(database);
      const library = await Library.begun(database, { keptMs: KEPT_MS });
      const start = async (): Promise<EventPurge> => {
        const purge = new EventPurge(database, { warn }, KEPT_MS);
        await purge.prepare();
        return purge;
      };
      const partitionOf = async (mark: string): Promise<string | undefined> => {
        const { resource } = await library.books.create({ mark, n: 1 }, '/books');
        const sql = 'SELECT tableoid::regclass::text AS name FROM events WHERE object_id = $1';
        return (await database.query<{ name: string }>(sql, [resource.id]))[0]?.name;
      };
      const follow = async (after?: string): Promise<{ marks: unknown[]; after: string }> => {
        const request = { limit: 100, descending: false, ...(after !== undefined && { after }) };
        const { body } = await library.events.page(request, () => ALL);
        return { marks: body.events.map(({ data }) => (data.object as BookDto).mark), after: body.after };
      };

      const before = await start();
      await partitionOf('on the first day');
      const early = (await follow()).after;
      for (let day = 2; day <= 3; day += 1) {
        pass(DAY_MS);
        await before.runNow();
        await partitionOf(`on day ${String(day)}`);
      }
      const late = (await follow()).after;
      const old = await partitions();

      pass(7 * DAY_MS);
      const holder = new Client({ connectionString: url });
      await holder.connect();
      if (isHeld) await holder.query('BEGIN; SELECT count(*) FROM events');
      const after = await start();
      const found = await partitionOf('after the week');
      expect(found).toEqual(isHeld ? 'events_rest' : expect.stringMatching(DATED));
      expect(old.includes(String(found))).toBe(isHeld);
      await holder.end();
      await after.runNow();
      // The partition with the last expired row stays, because this row is a position of readers.
      expect((await partitions()).filter((name) => old.includes(name))).toEqual([
        expect.stringMatching(DATED),
        'events_rest',
      ]);
      expect((await follow(late)).marks).toEqual(['after the week']);
      await expect(follow(early)).rejects.toMatchObject({ code: 'expired_cursor' });

      for (let day = 1; day <= 5; day += 1) {
        pass(DAY_MS);
        await after.runNow();
        expect(await partitionOf(`${String(day)} later`)).toMatch(DATED);
      }
      expect(await database.query('SELECT id FROM events_rest')).toEqual([]);
      expect((await partitions()).filter((name) => old.includes(name))).toEqual(['events_rest']);
    });
    expect(warn.mock.calls).toEqual([]);
  });

  it('drops nothing after a stop', async () => {
    database = await open();
    const nowMs = Date.now() + 10 * 86_400_000;
    await new EventPartitions(database, MINUTE_MS).makeAhead(nowMs);
    for (const minute of [0, 1]) await insert(nowMs + minute * MINUTE_MS);
    const before = await partitions();
    const purge = new EventPurge(database, { warn: jest.fn() }, MINUTE_MS, MINUTE_MS);
    await purge.purge(AbortSignal.abort(), nowMs + 9 * MINUTE_MS);
    expect(await partitions()).toEqual(before);
    await purge.purge(undefined, nowMs + 9 * MINUTE_MS);
    expect(await partitions()).not.toEqual(before);
  });

  it('has a short lock timeout, and retries', async () => {
    database = await open();
    const nowMs = Date.now() + 10 * 86_400_000;
    const days = new EventPartitions(database, MINUTE_MS);
    await days.makeAhead(nowMs);
    for (const minute of [0, 1]) await insert(nowMs + minute * MINUTE_MS);
    const oldest = lastIdAt(nowMs + 3 * MINUTE_MS);
    await database.transaction(async (tx) => {
      await tx.query('SELECT count(*) FROM events');
      const other = await open();
      const beganAtMs = performance.now();
      expect(await new EventPartitions(other, MINUTE_MS).drop(oldest)).toBe(0);
      expect(performance.now() - beganAtMs).toBeLessThan(500 + BUSY_MS);
    });
    expect(await days.drop(oldest)).toBeGreaterThan(0);
  });

  it.each([
    ['has read', 'before it begins', 'SELECT count(*) FROM events', 5],
    ['has written', 'before it begins', ADD_ONE, 6],
    ['has read', 'while rows are checked', 'SELECT count(*) FROM events', 5],
    ['has written', 'while rows are checked', ADD_ONE, 6],
  ])('is partitioned during a transaction that %s %s, and no writer waits for a second', async (...held) => {
    const [, when, sql, rows] = held;
    const isLate = when === 'while rows are checked';
    database = await openUnpartitioned();
    const nowMs = Date.now();
    for (let second = -5; second < 0; second += 1) await insert(nowMs + second * 1000);
    const holder = new Client({ connectionString: url });
    await holder.connect();
    const hold = async (): Promise<void> => {
      await holder.query('BEGIN');
      await holder.query(sql);
    };
    const source = await postgresSource(url, SCHEMA);
    const runner = source.createQueryRunner();
    const ask = runner.query.bind(runner) as (asked: string) => Promise<unknown>;
    let refused = 0;
    jest.spyOn(runner, 'query').mockImplementation(async (asked: string) => {
      const found = await ask(asked);
      if (isLate && asked.includes('VALIDATE')) await hold();
      if (asked === 'ROLLBACK') refused += 1;
      return found;
    });

    if (!isLate) await hold();
    const migrating = partitionTable(runner, 'events');
    const waits: number[] = [];
    const over = new AbortController();
    const writing = (async () => {
      while (!over.signal.aborted) {
        const begunAtMs = performance.now();
        await insert(nowMs + waits.length);
        waits.push(performance.now() - begunAtMs);
      }
    })();
    for (const giveUpAtMs = performance.now() + 3000; refused < 2 && performance.now() < giveUpAtMs;) await sleep(20);
    const meanwhile = await partitions();
    await holder.query('COMMIT');
    await migrating;
    over.abort();
    await writing;
    await Promise.all([holder.end(), runner.release().then(() => source.destroy())]);

    expect(meanwhile).toEqual([]);
    expect(refused).toBeGreaterThanOrEqual(2);
    expect(Math.max(...waits)).toBeLessThan(1000);
    expect(await partitions()).toEqual(['events_before', 'events_rest']);
    expect(await ids()).toHaveLength(rows + waits.length);
  });

  it('turns the old table into the first partition, which both versions write to', async () => {
    database = await openUnpartitioned();
    const shapes = await askPostgres(url, SHAPES);
    const nowMs = Date.now();
    for (let second = -5; second < 0; second += 1) await insert(nowMs + second * 1000);
    const known = await ids();
    // A writer of the previous version continues.
    const over = new AbortController();
    const going = (async () => {
      for (let n = 0; !over.signal.aborted; n += 1) await insert(nowMs + n);
    })();
    // A migration that was killed leaves this constraint.
    await askPostgres(
      url,
      `ALTER TABLE events ADD CONSTRAINT events_range CHECK (id < '${firstIdAt(1e14)}') NOT VALID`,
    );
    await migrate((runner) => partitionTable(runner, 'events'));
    over.abort();
    await going;
    await insert(nowMs + 100_000);
    expect((await ids()).slice(0, known.length)).toEqual(known);
    expect(await partitions()).toEqual(['events_before', 'events_rest']);
    expect(await askPostgres(url, SHAPES)).toEqual(shapes);
    await insert(nowMs + 3 * 86_400_000);
    expect(await tableOf(nowMs + 3 * 86_400_000)).toBe('events_rest');
    await migrate((runner) => partitionTable(runner, 'events'));

    // Old rows of the former table are deleted one by one.
    const all = await ids();
    const purged = await new EventPurge(database, { warn: jest.fn() }, 1000).purge(
      undefined,
      nowMs + 1000 + 15_000 - 3000,
    );
    expect(purged).toBeGreaterThan(0);
    const kept = await ids();
    expect(kept).toEqual(all.slice(all.length - kept.length));
  });

  it(`drops ${String(DROPPED)} partitions without a fault while writers write and readers follow`, async () => {
    const SHORT_MS = 100;
    const KEPT_MS = 1500;
    database = await openLibrary({ dialect: 'postgres', url });
    opened.push(database);
    const days = new EventPartitions(database, SHORT_MS);
    const library = await Library.begun(database, { keptMs: KEPT_MS });
    await days.makeAhead();
    const marks: string[] = [];
    let dropped = 0;
    const over = new AbortController();
    const write = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const mark = String(marks.length);
        marks.push(mark);
        await library.books.create({ mark, n: 1 }, '/books');
      }
    };
    const follow = async (): Promise<string[]> => {
      const seen: string[] = [];
      for (let after: string | undefined; !over.signal.aborted || seen.length < marks.length;) {
        const { body } = await library.events.page(
          { limit: 100, descending: false, ...(after !== undefined && { after }) },
          () => ALL,
        );
        seen.push(...body.events.map(({ data }) => (data.object as { mark: string }).mark));
        ({ after } = body);
      }
      return seen;
    };
    const drops = async (): Promise<void> => {
      while (dropped < DROPPED) {
        await days.makeAhead();
        dropped += await days.drop(lastIdAt(Date.now() - KEPT_MS));
        await sleep(SHORT_MS / 4);
      }
      over.abort();
    };
    const [, one, other] = await Promise.all([write(), follow(), follow(), drops()]);
    expect(one).toEqual(marks);
    expect(other).toEqual(marks);
    await expect(
      library.events.page({ limit: 1, descending: false, after: firstIdAt(Date.now() - 3 * KEPT_MS) }, () => ALL),
    ).rejects.toMatchObject({ code: 'expired_cursor' });
  });
});
