import { setTimeout as sleep } from 'node:timers/promises';

import {
  BUSY_MS,
  FragileLink,
  HttpClient,
  itemInput,
  provideDatabase,
  startApp,
  type Answer,
  type RunningApp,
  type TestDatabase,
} from '@items/testing';

import { errorShapeProblems } from '../harness/error-shape.js';
import { linesOf } from '../harness/log-lines.js';
import { expectStatus } from '../harness/reading.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';

/** Tolerance for a busy machine. */
const WITHIN_MS = 5_000 + BUSY_MS;
const describeOnPostgres = globalThis.database === 'postgres' ? describeStarted : describe.skip;

describeOnPostgres('§7 A database that is down or too slow', () => {
  let database: TestDatabase;
  let link: FragileLink;
  let app: RunningApp;
  let client: HttpClient;
  let id: string;

  beforeAll(async () => {
    database = await provideDatabase(databaseUnderTest());
    const url = new URL(database.url);
    link = await FragileLink.to(url.hostname, Number(url.port || 5432));
    url.host = `127.0.0.1:${link.port}`;
    app = await startApp({ database: 'postgres', databaseUrl: url.href });
    client = new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', app.adminKey]], timeoutMs: 15_000 });
    const webhook = { url: 'https://receiver.invalid/', events: ['user.deleted'] };
    expectStatus(await client.post('/webhooks', webhook), 201);
    const created = await client.post('/items', itemInput());
    expectStatus(created, 201);
    id = (created.json() as { id: string }).id;
  });

  afterAll(async () => {
    link.restore();
    await app.stop();
    await link.close();
    await database.drop();
  });

  const requests: readonly [title: string, send: () => Promise<Answer>][] = [
    ['GET /items', () => client.get('/items')],
    ['GET /items?limit=1', () => client.get('/items?limit=1')],
    ['GET /items/{id}', () => client.get(`/items/${id}`)],
    ['POST /items', () => client.post('/items', itemInput())],
    ['POST /items with an Idempotency-Key', () => client.post('/items', itemInput(), ['Idempotency-Key', 'k'])],
    ['PUT /items/{id}', () => client.put(`/items/${id}`, itemInput())],
    ['DELETE /items/x', () => client.delete(`/items/${id.replace(/^./, 'f')}`)],
    ['GET /health/ready', () => client.get('/health/ready')],
  ];

  async function expectUnavailable(): Promise<void> {
    const started = performance.now();
    const answers = await Promise.all(requests.map(([, send]) => send()));
    expect(performance.now() - started).toBeLessThan(WITHIN_MS);
    const seen = answers.map((answer, i) => [
      requests[i]?.[0],
      answer.status,
      /^[1-9]\d*$/.test(answer.header('retry-after') ?? ''),
    ]);
    expect(seen).toEqual(requests.map(([title]) => [title, 503, true]));
    expect(answers.flatMap(errorShapeProblems)).toEqual([]);
    expectStatus(await client.get('/health/live'), 200);
    expectStatus(await client.get('/nothing'), 404);
  }

  async function expectRecovery(): Promise<void> {
    const deadline = Date.now() + 10_000;
    while ((await client.get('/health/ready')).status !== 200 && Date.now() < deadline) await sleep(100);
    for (const [, send] of requests) expectStatus(await send(), 200, 201, 204, 404);
  }

  it.each(['cut', 'freeze'] as const)(
    '%s: 503 within 5 s with Retry-After, and recovery without a restart',
    async (fault) => {
      link[fault]();
      await expectUnavailable();
      await expectUnavailable();
      link.restore();
      await expectRecovery();
    },
    45_000,
  );

  it('the log has one line when the outage begins and one when it is over, for any number of background failures', async () => {
    let logged: Record<string, unknown>[];
    const deadline = performance.now() + 15_000;
    do {
      await sleep(200);
      logged = linesOf(app).filter(({ msg }) => /^The database/.test(String(msg)));
    } while (!/again/.test(String(logged.at(-1)?.['msg'])) && performance.now() < deadline);
    // Two outages within seconds count as one.
    expect([2, 4]).toContain(logged.length);
    expect(logged[0]).toMatchObject({ msg: expect.stringContaining('does not answer'), failures: 1 });
    expect(logged.at(-1)).toMatchObject({ msg: 'The database answers again', lasted_ms: expect.any(Number) });
    expect(logged.at(-1)?.['failures']).toBeGreaterThanOrEqual(14);
    expect(linesOf(app).filter((line) => 'err' in line)).toEqual([]);
    // Requests of unknown paths are slow as well, because the service looks up the caller.
    const known = /^(found no tables|The database|slow request$)/;
    const others = linesOf(app).filter(({ level, status }) => level !== 'info' && (status ?? 503) === 503);
    expect(others.filter(({ msg, status }) => status === 503 || !known.test(String(msg)))).toEqual([]);
  });

  it('each write during the outage is complete or absent', async () => {
    const { total, items } = (await client.get('/items?per_page=100')).json() as { total: number; items: unknown[] };
    expect(items).toHaveLength(total);
  });
});
