import type { Item } from '@items/dtos/contract';
import {
  BUSY_MS,
  askPostgres,
  HttpClient,
  itemInput,
  Pooler,
  poolerPrepares,
  poolerVersion,
  provideDatabase,
  startApp,
  type RunningApp,
  type TestDatabase,
} from '@items/testing';

import { readEvents } from '../harness/events.js';
import { linesOf } from '../harness/log-lines.js';
import { cursorPageOf, expectStatus, offsetPageOf } from '../harness/reading.js';
import { eventually, Receiver } from '../harness/receiver.js';
import { databaseUnderTest, startsServices } from '../harness/service.js';
import { pagesOf } from '../harness/walk.js';

const env = { ADMIN_API_KEY: 'k'.repeat(40), WEBHOOK_ALLOW: '127.0.0.0/8' };
const INSTANCES = 3;
const ROWS = 60;
/** The service promises 503 within 5 s. The rest is tolerance for a busy machine. */
const ANSWERED_WITHIN_MS = 5_000 + BUSY_MS;
const ADVISORY_LOCKS = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory'
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

const canRun = startsServices && globalThis.database === 'postgres' && poolerVersion !== undefined;
if (globalThis.database === 'postgres' && poolerVersion === undefined)
  process.stderr.write('SKIPPED: the service behind PgBouncer: there is no pgbouncer on the PATH.\n');
else if (globalThis.database === 'postgres' && !poolerPrepares)
  process.stderr.write(
    `SKIPPED: the service behind PgBouncer in transaction mode: it needs 1.21, and this one is ${String(poolerVersion)}.\n`,
  );

describe.each([
  ['session', canRun],
  ['transaction', canRun && poolerPrepares],
] as const)('Running behind PgBouncer in %s mode', (mode, runs) => {
  const describeMode = runs ? describe : describe.skip;
  describeMode.each([
    ['through it', false],
    ['past it', true],
  ])('migrated %s', (_, isPast) => {
    let database: TestDatabase;
    let pooler: Pooler;
    let receiver: Receiver;
    let apps: readonly RunningApp[] = [];

    const client = (instance = 0): HttpClient =>
      new HttpClient({ baseUrl: apps[instance % INSTANCES]!.baseUrl, timeoutMs: 15_000 }).withHeaders([
        'X-API-Key',
        env.ADMIN_API_KEY,
      ]);
    const add = async (instance: number, name: string): Promise<Item> => {
      const answer = await client(instance).post('/items', itemInput({ name, color: 'teal' }));
      expectStatus(answer, 201);
      return answer.json() as Item;
    };
    beforeAll(async () => {
      database = await provideDatabase(databaseUnderTest());
      pooler = await Pooler.startInFrontOf(database.url, { mode });
      receiver = await Receiver.start();
      const urls = { ...env, ...(isPast && { MIGRATION_DATABASE_URL: database.url }) };
      const start = (): Promise<RunningApp> =>
        startApp({ database: databaseUnderTest(), databaseUrl: pooler.url, env: urls });
      apps = await Promise.all(Array.from({ length: INSTANCES }, start));
    });
    afterAll(async () => {
      await Promise.all(apps.map((app) => app.stop()));
      await receiver.stop();
      await pooler.stop();
      await database.drop();
    });

    it('starts three instances concurrently, one of which migrates, and leaves no lock behind', async () => {
      const migrated = apps.filter((app) => linesOf(app).some(({ msg }) => /created them$/.test(String(msg))));
      expect(migrated).toHaveLength(1);
      expect(await askPostgres(database.url, ADVISORY_LOCKS)).toEqual([]);
    });

    it('writes, lists, walks during writes, replays by key and refuses by ETag on all instances', async () => {
      const rows = await Promise.all(Array.from({ length: ROWS }, (_, n) => add(n, `row ${String(n)}`)));
      const page = offsetPageOf(await client(1).get('/items?color=teal&per_page=7&page=2&sort=name'));
      expect([page.total, page.items.length]).toEqual([ROWS, 7]);
      const seen = await pagesOf(
        async (query) => cursorPageOf(await client(Math.floor(Math.random() * 9)).get(`/items?${query}`)),
        'color=teal&sort=-name&limit=7',
        async (served) => {
          const { id } = rows[served % ROWS]!;
          expectStatus(await client(served).put(`/items/${id}`, itemInput({ name: `later ${String(served)}` })), 200);
        },
      );
      const names = seen.flatMap(({ items }) => items.map(({ name }) => name));
      expect(names).toEqual(rows.map(({ name }) => name).sort((a, b) => (a < b ? 1 : -1)));
      const key = ['Idempotency-Key', 'once'] as const;
      const input = itemInput();
      const [first, again] = [await client(0).post('/items', input, key), await client(1).post('/items', input, key)];
      expect([first.status, again.text, again.header('idempotent-replayed')]).toEqual([201, first.text, 'true']);
      const { id } = first.json() as Item;
      const etag = first.header('etag') ?? '';
      const racers = Array.from({ length: 12 }, (_, n) =>
        client(n).put(`/items/${id}`, itemInput({ name: String(n) }), ['If-Match', etag]),
      );
      const statuses = (await Promise.all(racers)).map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...Array<number>(11).fill(412)]);
    });

    it('reports writes in the feed and to a webhook', async () => {
      expectStatus(await client(0).post('/webhooks', { url: receiver.url(), events: ['item.created'] }), 201);
      const { id } = await add(1, 'told');
      const listed = await readEvents(`object_id=${id}&wait=10`, client(2));
      expect(listed.events.map(({ type }) => type)).toEqual(['item.created']);
      await eventually(() => receiver.received.find(({ event }) => event.data.object['id'] === id));
    });

    it('returns 503 in time after PgBouncer is killed, loses no acknowledged write, and continues when it is back', async () => {
      const acknowledged: string[] = [];
      let isOver = false;
      const writers = Array.from({ length: 6 }, async (_, n) => {
        for (let round = 0; !isOver; round += 1) {
          const began = performance.now();
          const answer = await client(n).post('/items', itemInput({ color: 'plum' }));
          expect(performance.now() - began).toBeLessThan(ANSWERED_WITHIN_MS);
          expectStatus(answer, 201, 503);
          if (answer.status === 201) acknowledged.push((answer.json() as Item).id);
        }
      });
      await eventually(() => (acknowledged.length > 20 ? true : undefined));
      await pooler.kill();
      await eventually(async () => ((await client().get('/health/ready')).status === 503 ? true : undefined));
      expectStatus(await client().get('/health/live'), 200);
      await pooler.start();
      const before = acknowledged.length;
      await eventually(() => (acknowledged.length > before + 20 ? true : undefined), 20_000);
      isOver = true;
      await Promise.all(writers);
      for (const id of acknowledged) expectStatus(await client().get(`/items/${id}`), 200);
      for (let instance = 0; instance < INSTANCES; instance += 1)
        expectStatus(await client(instance).get('/health/ready'), 200);
    });
  });
});
