import { setTimeout as sleep } from 'node:timers/promises';

import type { CreatedApiKey } from '@items/dtos/contract';
import {
  HttpClient,
  provideDatabase,
  redisUnderTest,
  startApp,
  type RunningApp,
  type TestDatabase,
} from '@items/testing';

import { expectStatus } from '../harness/reading.js';
import { tally } from '../harness/quotas.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';

/** A Redis database that nothing else on a test machine uses. */
const REDIS_DATABASE = 12;
const redisUrl = redisUnderTest();
const isLinux = process.platform === 'linux';
const describeWithRedis = redisUrl === undefined || !isLinux ? describe.skip : describeStarted;
const ADMIN_API_KEY = 'reuse-port-key-that-is-long-enough-for-the-service';

describeWithRedis('Running: REUSE_PORT=on', () => {
  let database: TestDatabase;
  let first: RunningApp;
  let second: RunningApp;

  const start = (port?: number): Promise<RunningApp> =>
    startApp({
      ...(port !== undefined && { port }),
      database: databaseUnderTest(),
      databaseUrl: database.url,
      env: {
        REUSE_PORT: 'on',
        REDIS_URL: `redis://${new URL(redisUrl ?? '').host}/${String(REDIS_DATABASE)}`,
        ADMIN_API_KEY,
        METRICS_PORT: '0',
        HEALTH_PORT: '0',
      },
    });

  beforeAll(async () => {
    database = await provideDatabase(databaseUnderTest());
    first = await start();
    second = await start(first.port);
  });
  afterAll(async () => {
    await Promise.all([first.stop(), second.stop()]);
    await database.drop();
  });

  const client = (): HttpClient => new HttpClient({ baseUrl: first.baseUrl, headers: [['X-API-Key', ADMIN_API_KEY]] });
  /** Sends requests on new connections. @returns the instances that responded, by the start of their request ids. */
  const responding = async (): Promise<Set<string>> => {
    const requests = Array.from({ length: 16 }, () => client().get('/items', ['Connection', 'close']));
    const responses = await Promise.all(requests);
    for (const response of responses) expectStatus(response, 200);
    return new Set(responses.map((response) => response.header('x-request-id')?.replace(/-[^-]+$/, '') ?? ''));
  };

  it('two processes share one port', async () => {
    const seen = new Set<string>();
    for (let round = 0; seen.size < 2 && round < 50; round++) for (const name of await responding()) seen.add(name);
    expect(seen.size).toBe(2);
  });

  it('a quota is exact over both processes', async () => {
    const limited = { name: 'Key', scopes: ['items:read'], rate_limit: { requests: 60, seconds: 60 } };
    const created = await client().post('/api-keys', limited);
    expectStatus(created, 201);
    const key = ['X-API-Key', (created.json() as CreatedApiKey).key] as const;
    const stranger = new HttpClient({ baseUrl: first.baseUrl });
    const requests = Array.from({ length: 160 }, () => stranger.get('/items?per_page=1', key));
    expect(tally(await Promise.all(requests))).toEqual({ 200: 60, 429: 100 });
  });

  it('a rolling restart under load fails no request', async () => {
    let isOver = false;
    const failures: unknown[] = [];
    let served = 0;
    const load = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        try {
          expectStatus(await client().get('/items?per_page=1', ['Connection', 'close']), 200);
          served += 1;
        } catch (error) {
          failures.push(error);
        }
        // Pause: without `net.ipv4.tcp_migrate_req`, a connection is reset if it opens microseconds before a socket
        // closes.
        await sleep(5);
      }
    });
    const restarted = async (app: RunningApp): Promise<RunningApp> => {
      await app.stop('SIGTERM');
      return start(first.port);
    };
    second = await restarted(second);
    const port = first.port;
    first = await restarted(first);
    expect(first.port).toBe(port);
    await sleep(50);
    isOver = true;
    await Promise.all(load);
    expect(failures).toEqual([]);
    expect(served).toBeGreaterThan(100);
  });
});
