import { setTimeout as sleep } from 'node:timers/promises';

import type { CreatedApiKey } from '@items/dtos/contract';
import {
  hasPostgresPrograms,
  HttpClient,
  redisUnderTest,
  type RunningApp,
  startApp,
  StreamingPair,
} from '@items/testing';

import { documentedMetrics } from '../harness/documented-metrics.js';
import { OwnItems } from '../harness/own-items.js';
import { expectStatus } from '../harness/reading.js';
import { Scraper } from '../harness/scraper.js';
import { describeStartedOnce } from '../harness/service.js';

const canRun = hasPostgresPrograms && redisUnderTest() !== undefined;
if (!canRun) process.stderr.write('SKIPPED: reads from a standby: there are no programs of PostgreSQL, or no Redis.\n');

const READS = Number(process.env['CHECK_REPLICA_READS'] ?? 1000);
const WRITERS = 4;
const key = ['X-API-Key', 'k'.repeat(40)] as const;
/** Counts index reads of the table `items`. */
const READ_ROWS = "SELECT sum(coalesce(idx_scan, 0))::int AS n FROM pg_stat_user_tables WHERE relname = 'items'";

(canRun ? describeStartedOnce : describe.skip)('§10 DATABASE_READ_URL names a standby', () => {
  let pair: StreamingPair;
  const apps: RunningApp[] = [];
  let writers: OwnItems[];

  beforeAll(async () => {
    pair = await StreamingPair.start();
    const env = {
      ADMIN_API_KEY: key[1],
      DATABASE_READ_URL: pair.standby.url,
      REDIS_URL: `${redisUnderTest() ?? ''}/7`,
      METRICS_PORT: '0',
    };
    for (let instance = 0; instance < 2; instance += 1)
      apps.push(await startApp({ database: 'postgres', databaseUrl: pair.url, env }));
    const clients = apps.map(({ baseUrl }) => new HttpClient({ baseUrl }));
    writers = [];
    for (let writer = 0; writer < WRITERS; writer += 1) {
      const body = {
        name: 'Writer',
        scopes: ['items:read', 'items:write'],
        rate_limit: { requests: 1e6, seconds: 60 },
      };
      const created = await clients[0]!.post('/api-keys', body, key);
      expectStatus(created, 201);
      const own = ['X-API-Key', (created.json() as CreatedApiKey).key] as const;
      writers.push(new OwnItems(clients.map((client) => client.withHeaders(own))));
    }
  });
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.stop()));
    await pair.stop();
  });

  const reads = (): number => writers.reduce((sum, writer) => sum + writer.reads, 0);

  /** Runs all readers concurrently until they have made this number of reads. */
  async function readUntil(count: number): Promise<void> {
    await Promise.all(
      writers.map(async (writer) => {
        while (reads() < count) await writer.round();
      }),
    );
  }
  async function whileReading(count: number, disturb: () => Promise<void>): Promise<void> {
    const over = new AbortController();
    const reading = readUntil(reads() + count).finally(() => {
      over.abort();
    });
    // Handled here too, because `await reading` may come late.
    reading.catch(() => undefined);
    while (!over.signal.aborted) await disturb();
    await reading;
  }
  async function rowsReadFrom({ standby }: StreamingPair): Promise<number> {
    // PostgreSQL writes the statistics at most once a second.
    await sleep(1500);
    return (await standby.ask<{ n: number }>(READ_ROWS))[0]?.n ?? 0;
  }

  it('clients read their own writes from either server, and the standby serves many reads', async () => {
    // The primary serves all reads for five seconds if write positions may have been lost.
    await readUntil(10);
    await sleep(6000);
    const before = await rowsReadFrom(pair);
    await whileReading(READS * 0.4, () => sleep(100));
    expect((await rowsReadFrom(pair)) - before).toBeGreaterThan(READS * 0.1);
    for (const app of apps) {
      const metrics = await Scraper.of(app);
      expect(await metrics.read('items_replica_reads_total', { outcome: 'standby' })).toBeGreaterThan(0);
      expect(await metrics.read('items_standby_up')).toBe(1);
      expect(await metrics.read('items_standby_lag_seconds')).toBeLessThan(1);
      const { types } = await metrics.scrape();
      const ofStandbys = [...types].filter(([name]) => /replica|standby/.test(name)).sort();
      expect(ofStandbys).toEqual(
        documentedMetrics
          .filter(({ where }) => where === 'standbys')
          .map(({ name, type }) => [name, type])
          .sort(),
      );
    }
  }, 600_000);

  it('a walk includes all writes that the feed has listed, although the standby lacks them', async () => {
    const anybody = new HttpClient({ baseUrl: apps[0]!.baseUrl });
    const admin = anybody.withHeaders(key);
    const created = await admin.post('/api-keys', { name: 'Reader', scopes: ['items:read'] });
    const reader = anybody.withHeaders(['X-API-Key', (created.json() as CreatedApiKey).key]);
    for (let round = 0; round < 5; round += 1) {
      await pair.caughtUp();
      await sleep(500);
      await pair.pause();
      const { id } = (await admin.post('/items', { name: 'Fresh' })).json() as { id: string };
      expectStatus(await reader.get('/events?type=item.*&sort=-timestamp&limit=1'), 200);
      expect((await reader.get('/items?limit=1&sort=-created_at')).text).toContain(id);
      await pair.resume();
    }
  });

  it('clients read their own writes while the standby pauses, for a moment and for longer than it may lag', async () => {
    await whileReading(READS * 0.3, async () => {
      await pair.pause();
      await sleep(Math.random() * 2500);
      await pair.resume();
      await sleep(Math.random() * 1500);
    });
  }, 600_000);

  it('clients read their own writes while the standby is killed and comes back', async () => {
    await whileReading(READS * 0.15, async () => {
      await pair.standby.kill();
      await sleep(Math.random() * 1000);
      await pair.standby.start();
      await sleep(1000 + Math.random() * 1000);
    });
  }, 600_000);

  it('clients read their own writes after the primary is lost and the standby is promoted', async () => {
    // Wait until acknowledged writes have reached the standby: others would be lost with the primary.
    await pair.caughtUp();
    await pair.primary.kill();
    await pair.promote();
    const admin = new HttpClient({ baseUrl: apps[0]!.baseUrl }).withHeaders(key);
    for (let tries = 0; (await admin.get('/items?limit=1')).status !== 200 && tries < 100; tries += 1) await sleep(100);
    await sleep(1000);
    await whileReading(READS * 0.15, () => sleep(100));
  }, 600_000);
});
