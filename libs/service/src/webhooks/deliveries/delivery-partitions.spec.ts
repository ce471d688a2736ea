import { setTimeout as sleep } from 'node:timers/promises';

import { openDatabase } from '../../data/opening/open-database.js';
import type { Database } from '../../data/database/database.js';
import { migratePostgres } from '../../data/postgres/postgres-source.js';
import { recount } from '../../data/writes/recount.js';
import { eventMigrations } from '../../feed/event-migrations.js';
import { FIRST_POSITION, firstIdAt, lastIdAt } from '../../feed/event-id.js';
import { askPostgres, createDatabase, postgresUnderTest } from '@items/testing';
import type { Delivery } from '@items/dtos/contract';
import { Client } from 'pg';

import { removeWebhook } from '../definition/webhook-state.js';
import { webhookMigrations } from '../definition/webhook-migrations.js';
import { recordOutcomes } from '../dispatch/record-outcomes.js';
import { DeliveriesService } from '../routes/deliveries.service.js';
import { FakeSender, TestClock, TestService } from '../testing/service.testing.js';
import { CLOSED_STATE, DeliveryPartitions } from './delivery-partitions.js';
import { DeliveryPurge } from './delivery-purge.js';
import { endPending } from './delivery-rows.js';
import { requestAttempt } from './requested-deliveries.js';

const MINUTE_MS = 60_000;
const SCHEMA = { migrations: [...eventMigrations, ...webhookMigrations] };
const WITHOUT = { migrations: SCHEMA.migrations.slice(0, -1) };
const COUNTED = {
  name: 'deliveries',
  countedFilters: [['webhook_id'], ['webhook_id', 'status'], ['webhook_id', 'type']],
};
const PARTITIONS =
  "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'deliveries'::regclass ORDER BY 1";
const SHAPES =
  "SELECT replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') AS definition FROM pg_index WHERE indrelid = 'deliveries'::regclass ORDER BY 1";

/** The steps of dropping a partition. */
interface Steps {
  close(name: string, stop?: AbortSignal): Promise<unknown>;
  count(name: string, stop?: AbortSignal): Promise<unknown>;
}
const steps = DeliveryPartitions as unknown as { readonly prototype: Steps };

(postgresUnderTest() === undefined ? describe.skip : describe)('The table of deliveries on PostgreSQL', () => {
  let url: string;
  let drop: () => Promise<void>;
  let database: Database;
  let service: TestService;
  let webhookId: string;
  /** A minute in the future, so that rows of the tests are in dated partitions. */
  let nowMs: number;
  const opened: Database[] = [];

  const open = async (schema = SCHEMA): Promise<Database> => {
    const found = await openDatabase({ dialect: 'postgres', url }, schema);
    opened.push(found);
    return found;
  };
  const begin = async (schema = SCHEMA): Promise<void> => {
    database = await open(schema);
    service = new TestService(database, new TestClock(), new FakeSender());
    webhookId = await service.addWebhook();
    nowMs = (Math.floor(Date.now() / MINUTE_MS) + 1) * MINUTE_MS;
  };
  const add = async (ms: number, status: Delivery['status'] = 'succeeded', count = 1): Promise<string[]> => {
    const ids = Array.from({ length: count }, (_, n) => firstIdAt(ms + n).replace(/.{12}$/, '00000000abcd'));
    const members = ids.map((id) => ({
      fields: { webhook_id: webhookId, event_id: id, type: 'book.created', status, attempts: [], tries: 1 },
      past: { id, created_at: Date.now() },
    }));
    await database.transaction((tx) => service.deliveries.insertAll(tx, members));
    return ids;
  };
  const fill = async (count: number): Promise<void> => {
    await askPostgres(
      url,
      `INSERT INTO deliveries (id, created_at, updated_at, lane, seq, webhook_id, event_id, type, status, attempts)
       SELECT (lpad(to_hex(${String(nowMs)} + n), 12, '0') || '70008000000000000000')::uuid, 0, 0, 0, 0, '${webhookId}', n,
         'book.' || n % 3, CASE WHEN n % 2 = 0 THEN 'failed' ELSE 'succeeded' END, '[]' FROM generate_series(1, ${String(count)}) n`,
    );
  };
  const close = (name = ''): Promise<unknown> => steps.prototype.close.call(days(), name);
  const isOpen = async (id: string): Promise<boolean> => {
    const asked = database.transaction((tx) => requestAttempt(tx, service.deliveries, webhookId, id));
    return asked.then(
      () => true,
      (error: unknown) => {
        expect(error).toMatchObject({ status: 404 });
        return false;
      },
    );
  };
  const partitions = async (): Promise<string[]> =>
    (await askPostgres<{ name: string }>(url, PARTITIONS)).map(({ name }) => name);
  const tableOf = async (id = ''): Promise<string | undefined> =>
    (
      await askPostgres<{ name: string }>(
        url,
        `SELECT tableoid::regclass::text AS name FROM deliveries WHERE id = '${id}'`,
      )
    )[0]?.name;
  const days = (on = database): DeliveryPartitions =>
    new DeliveryPartitions(on, service.deliveries.definition, MINUTE_MS);
  const total = async (): Promise<number> => {
    const { body } = await service.deliveries.list(
      { style: 'offset', page: 1, perPage: 1, sort: [], filter: {} },
      '/',
      {
        webhook_id: webhookId,
      },
    );
    return (body as unknown as { total: number }).total;
  };
  const statusOf = async (id: string): Promise<string> =>
    (await service.deliveries.get(id, { webhook_id: webhookId })).resource.status;

  const tagOf = async (id = ''): Promise<string> => (await service.deliveries.get(id, { webhook_id: webhookId })).etag;

  beforeEach(async () => {
    ({ url, drop } = await createDatabase());
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const found of opened.splice(0)) await found.close();
    await drop();
  });

  it('drops expired partitions, and the totals are exact', async () => {
    await begin();
    await days().makeAhead(nowMs);
    for (const minute of [0, 1, 2]) await add(nowMs + minute * MINUTE_MS, 'succeeded', 10);
    const [kept = ''] = await add(nowMs + 2 * MINUTE_MS + 100, 'failed');
    expect(await tableOf(kept)).toMatch(/^deliveries_\d+$/);
    expect(await days().drop(lastIdAt(nowMs + 2 * MINUTE_MS))).toBe(3);
    expect(await total()).toBe(11);
    expect(await recount(database, database, service.deliveries.definition)).toEqual([]);
    expect(await days().drop(lastIdAt(nowMs + 9 * MINUTE_MS))).toBeGreaterThan(0);
    expect(await total()).toBe(0);
    expect(await recount(database, database, service.deliveries.definition)).toEqual([]);
    expect(await partitions()).toEqual(['deliveries_rest']);
  });

  it('counts partitions of many rows in parts, by each counted filter', async () => {
    await begin();
    await days().makeAhead(nowMs);
    await fill(45_000);
    expect(await recount(database, database, COUNTED)).toHaveLength(1 + 1 + 2 + 3);
    await new DeliveryPartitions(database, COUNTED, MINUTE_MS).drop(lastIdAt(nowMs + MINUTE_MS));
    expect(await askPostgres(url, 'SELECT 1 FROM deliveries')).toEqual([]);
    expect(await recount(database, database, COUNTED)).toEqual([]);
  });

  it('is dropped once by two instances, under readers whose totals are exact at any moment', async () => {
    await begin();
    await days().makeAhead(nowMs);
    for (const minute of [0, 1, 2, 3]) await add(nowMs + minute * MINUTE_MS, 'succeeded', 50);
    const over = new AbortController();
    const different: unknown[] = [];
    const reading = (async () => {
      while (!over.signal.aborted) {
        const [found] = await database.query<{ rows: string; counted: string }>(
          `SELECT (SELECT count(*) FROM deliveries) AS rows,
            (SELECT sum(n) FROM collection_lanes WHERE collection = 'deliveries') AS counted`,
        );
        if (String(found?.rows) !== String(found?.counted)) different.push(found);
      }
    })();
    const other = days(await open());
    const oldest = lastIdAt(nowMs + 3 * MINUTE_MS);
    for (let round = 0; round < 20 && (await total()) > 50; round += 1) {
      await Promise.all([days().drop(oldest), other.drop(oldest)]);
    }
    over.abort();
    await reading;
    expect(different).toEqual([]);
    expect(await total()).toBe(50);
    expect(await recount(database, database, service.deliveries.definition)).toEqual([]);
  });

  it('has a short lock timeout, and retries', async () => {
    await begin();
    await days().makeAhead(nowMs);
    await add(nowMs);
    const holder = new Client({ connectionString: url });
    await holder.connect();
    await holder.query('BEGIN; SELECT count(*) FROM deliveries');
    expect(await days().drop(lastIdAt(nowMs + MINUTE_MS))).toBe(0);
    await holder.end();
    expect(await total()).toBe(1);
    expect(await days().drop(lastIdAt(nowMs + MINUTE_MS))).toBeGreaterThan(0);
    expect(await total()).toBe(0);
  });

  it('refuses changes of a partition that is being dropped, and records the other outcomes', async () => {
    await begin();
    await days().makeAhead(nowMs);
    const [old = ''] = await add(nowMs, 'pending');
    const [young = ''] = await add(nowMs + MINUTE_MS, 'pending');
    expect(await days().drop(lastIdAt(nowMs))).toBe(1);
    const counting = jest.spyOn(steps.prototype, 'count').mockRejectedValue(new Error('killed'));
    await expect(days().drop(lastIdAt(nowMs + MINUTE_MS))).rejects.toThrow('killed');
    counting.mockRestore();

    const outcomes = [old, young].map((id) => ({
      job: { reason: 'retry' as const, eventId: id, type: 'book.created', deliveryId: id, tries: 1 },
      status: 'succeeded' as const,
    }));
    await database.transaction((tx) => recordOutcomes(tx, service.deliveries, webhookId, outcomes));
    expect(await statusOf(young)).toBe('succeeded');
    expect(await statusOf(old)).toBe('pending');
    const asked = database.transaction((tx) => requestAttempt(tx, service.deliveries, webhookId, old));
    await expect(asked).rejects.toMatchObject({ status: 404 });
    await database.transaction((tx) => endPending(tx, service.deliveries, webhookId));
    await database.transaction((tx) => removeWebhook(tx, service.webhooks, webhookId));
    const warn = jest.fn();
    expect(await new DeliveryPurge(database, service.deliveries, { warn }, Infinity).purge()).toBe(0);
    expect(await days().drop(lastIdAt(nowMs + MINUTE_MS))).toBeGreaterThan(0);
    expect(await recount(database, database, service.deliveries.definition)).toEqual([]);
  });

  it('opens closed partitions that have not expired', async () => {
    await begin();
    await days().makeAhead(nowMs);
    const [old = ''] = await add(nowMs);
    const [young = ''] = await add(nowMs + MINUTE_MS);
    for (const id of [old, young]) await close(await tableOf(id));
    expect(await Promise.all([old, young].map(isOpen))).toEqual([false, false]);

    await days().reopen(lastIdAt(nowMs + MINUTE_MS));
    expect(await Promise.all([old, young].map(isOpen))).toEqual([false, true]);
    await new DeliveryPurge(database, service.deliveries, { warn: jest.fn() }, Infinity).prepare();
    expect(await isOpen(old)).toBe(true);
    expect(await recount(database, database, service.deliveries.definition)).toEqual([]);
  });

  it('retains a partition that is opened while it is counted, even if it is closed once more', async () => {
    await begin();
    await days().makeAhead(nowMs);
    await add(nowMs);
    const name = await tableOf((await add(nowMs + 1))[0]);
    const oldest = lastIdAt(nowMs + MINUTE_MS);
    await days().drop(lastIdAt(nowMs));
    for (const isClosedAgain of [false, true]) {
      const { count } = steps.prototype;
      const counting = jest.spyOn(steps.prototype, 'count').mockImplementationOnce(async function (this: Steps, ...of) {
        const counted = await count.apply(this, of);
        await days().reopen(FIRST_POSITION);
        await add(nowMs + (isClosedAgain ? 2 : 3));
        if (isClosedAgain) await close(name);
        return counted;
      });
      expect(await days().drop(oldest)).toBe(0);
      counting.mockRestore();
      expect(await partitions()).toContain(name);
    }
    expect(await total()).toBe(4);
    expect(await days().drop(oldest)).toBe(1);
    expect(await total()).toBe(0);
    expect(await recount(database, database, service.deliveries.definition)).toEqual([]);
  });

  it('records the outcome of a new event after a wrong clock has closed its partition', async () => {
    await begin();
    const warn = jest.fn();
    const purge = new DeliveryPurge(database, service.deliveries, { warn }, 30 * 86_400_000);
    await purge.prepare();
    for (const name of await partitions()) await close(name);
    const job = { reason: 'first' as const, eventId: firstIdAt(Date.now()), type: 'book.created', tries: 0 };
    const record = (): Promise<Map<string, string>> =>
      database.transaction((tx) => recordOutcomes(tx, service.deliveries, webhookId, [{ job, status: 'succeeded' }]));
    await expect(record()).rejects.toMatchObject({ code: CLOSED_STATE });
    await purge.runNow();
    const made = await record();
    expect(await statusOf(made.get(job.eventId) ?? '')).toBe('succeeded');
    expect(warn).not.toHaveBeenCalled();
  });

  it('creates a ping after a wrong clock has closed its partition', async () => {
    await begin();
    const purge = new DeliveryPurge(database, service.deliveries, { warn: jest.fn() }, 30 * 86_400_000);
    await purge.prepare();
    for (const name of await partitions()) await close(name);
    const [webhooks, deliveries, none] = [service.webhooks as never, service.deliveries as never, {} as never];
    const dispatcher = { wake: jest.fn() } as never;
    const routes = new DeliveriesService(webhooks, deliveries, database, none, none, dispatcher, none, purge);
    const { resource } = await routes.ping(webhookId, undefined);
    expect(await statusOf(resource.id)).toBe('pending');
  });

  it.each(['close', 'count'] as const)(
    'drops nothing if another instance drops the partition first, before the step: %s',
    async (step) => {
      await begin();
      await days().makeAhead(nowMs);
      await add(nowMs);
      const oldest = lastIdAt(nowMs + MINUTE_MS);
      const other = days(await open());
      const original = steps.prototype[step];
      const late = jest.spyOn(steps.prototype, step).mockImplementationOnce(async function (this: Steps, ...of) {
        late.mockRestore();
        expect(await other.drop(oldest)).toBeGreaterThan(0);
        return original.apply(this, of);
      });
      expect(await days().drop(oldest)).toBe(0);
      expect(await total()).toBe(0);
      expect(await recount(database, database, service.deliveries.definition)).toEqual([]);
    },
  );

  it('stops between two statements that count rows', async () => {
    await begin();
    await days().makeAhead(nowMs);
    await fill(45_000);
    const oldest = lastIdAt(nowMs + MINUTE_MS);
    await days().drop(lastIdAt(nowMs));
    const before = await partitions();
    for (const last of [1, 3]) {
      const stop = new AbortController();
      const asked = jest.spyOn(database, 'query');
      const counts = (): unknown[] => asked.mock.calls.filter(([sql]) => sql.includes('count(*) AS n'));
      const { query } = database.constructor.prototype as Database;
      asked.mockImplementation(async (...of) => {
        const found = await query.apply(database, of);
        if (counts().length === last) stop.abort();
        return found;
      });
      expect(await new DeliveryPartitions(database, COUNTED, MINUTE_MS).drop(oldest, stop.signal)).toBe(0);
      expect(counts()).toHaveLength(last);
      asked.mockRestore();
      expect(await partitions()).toEqual(before);
    }
    expect(await days().drop(oldest)).toBe(1);
  });

  it('closes nothing after a stop', async () => {
    await begin();
    await days().makeAhead(nowMs);
    const [old = ''] = await add(nowMs);
    const purge = new DeliveryPurge(database, service.deliveries, { warn: jest.fn() }, 9 * MINUTE_MS, MINUTE_MS);
    await purge.purge(AbortSignal.abort(), nowMs + 60 * MINUTE_MS);
    expect(await isOpen(old)).toBe(true);
  });

  it('refuses unstamped changes in each partition', async () => {
    await begin(WITHOUT);
    const [first = ''] = await add(nowMs);
    await open();
    await days().makeAhead(nowMs + 1500 * MINUTE_MS);
    const [dated = ''] = await add(nowMs + 1500 * MINUTE_MS);
    const [rest = ''] = await add(nowMs + 2000 * MINUTE_MS);
    expect(await Promise.all([first, dated, rest].map(tableOf))).toEqual([
      'deliveries_before',
      expect.stringMatching(/^deliveries_\d+$/),
      'deliveries_rest',
    ]);
    for (const id of [first, dated, rest]) {
      const unstamped = askPostgres(url, `UPDATE deliveries SET status = 'failed' WHERE id = '${id}'`);
      await expect(unstamped).rejects.toThrow('was changed without a stamp');
    }
  });

  it('turns the old table into the first partition while the previous version writes', async () => {
    await begin(WITHOUT);
    const known = await add(Date.now() - 5000, 'failed', 5);
    const before = { table: await askPostgres(url, SHAPES), tag: await tagOf(known[0]) };
    const over = new AbortController();
    const going = (async () => {
      for (let n = 0; !over.signal.aborted; n += 1) {
        const [id = ''] = await add(Date.now() + n, 'pending');
        known.push(id);
        await database.transaction((tx) => endPending(tx, service.deliveries, webhookId));
        await sleep(1);
      }
    })();
    // An interrupted migration leaves this constraint.
    await askPostgres(
      url,
      `ALTER TABLE deliveries ADD CONSTRAINT deliveries_range CHECK (id < '${firstIdAt(1e14)}') NOT VALID`,
    );
    await migratePostgres(url, SCHEMA);
    over.abort();
    await going;
    expect(await partitions()).toEqual(['deliveries_before', 'deliveries_rest']);
    expect(await total()).toBe(known.length);
    expect(await tagOf(known[0])).toBe(before.tag);
    expect(await recount(database, database, service.deliveries.definition)).toEqual([]);
    expect(await askPostgres(url, SHAPES)).toEqual(before.table);
    const unstamped = askPostgres(url, "UPDATE deliveries SET status = 'failed'");
    await expect(unstamped).rejects.toThrow('was changed without a stamp');

    // Old rows are deleted one by one.
    const purge = new DeliveryPurge(database, service.deliveries, { warn: jest.fn() }, 3_600_000, MINUTE_MS);
    await purge.prepare();
    expect(await purge.purge(undefined, Date.now() + 3_600_000 + MINUTE_MS)).toBe(known.length);
  });

  it('is purged row by row even if its role may not drop partitions', async () => {
    await begin();
    await add(nowMs, 'succeeded', 3);
    const dropping = jest.spyOn(DeliveryPartitions.prototype, 'drop').mockRejectedValue(new Error('permission denied'));
    const purge = new DeliveryPurge(database, service.deliveries, { warn: jest.fn() }, 9 * MINUTE_MS, MINUTE_MS);
    await expect(purge.purge(undefined, Date.now() + 10 * MINUTE_MS)).rejects.toThrow('permission denied');
    dropping.mockRestore();
    expect(await total()).toBe(0);
  });

  it('is purged row by row if a partition is long for the retention time', async () => {
    await begin();
    await days().makeAhead(nowMs);
    await add(nowMs, 'succeeded', 3);
    const purge = new DeliveryPurge(database, service.deliveries, { warn: jest.fn() }, 4 * MINUTE_MS, MINUTE_MS);
    expect(await purge.purge(undefined, Date.now() + 4 * MINUTE_MS + 1)).toBe(3);
    expect(await total()).toBe(0);
  });
});
