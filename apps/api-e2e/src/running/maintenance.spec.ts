import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { HttpClient, provideDatabase, startApp, type RunningApp, type TestDatabase } from '@items/testing';

import { errorOf, expectStatus } from '../harness/reading.js';
import { databaseUnderTest, describeStarted, describeStartedOnce } from '../harness/service.js';

const ADMIN = join(process.cwd(), 'apps/api/dist/admin.js');

describeStarted('Running: maintenance', () => {
  let database: TestDatabase;
  let app: RunningApp;
  let client: HttpClient;

  beforeAll(async () => {
    database = await provideDatabase(databaseUnderTest());
    app = await startApp({ database: databaseUnderTest(), databaseUrl: database.url });
    client = new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', app.adminKey]] });
  });
  afterAll(async () => {
    await app.stop();
    await database.drop();
  });

  function admin(...args: string[]): { status: number | null; said: string } {
    const env = { PATH: process.env['PATH'], NODE_PATH: process.env['NODE_PATH'], DATABASE_URL: database.url };
    const { status, stdout, stderr } = spawnSync(process.execPath, [ADMIN, ...args], { env, encoding: 'utf8' });
    return { status, said: stdout + stderr };
  }

  async function within5s(status: number): Promise<void> {
    const started = performance.now();
    while ((await client.get('/items')).status !== status) {
      if (performance.now() - started > 5_500) throw new Error(`Not ${String(status)} within 5 s.`);
      await sleep(50);
    }
  }

  it('is on for all instances within 5 s: 503 with Retry-After, except for /health and /docs', async () => {
    const { status, said } = admin('maintenance', 'on', '300');
    expect({ status, said }).toEqual({ status: 0, said: expect.stringContaining('is on') });
    expect(said).toMatch(/"audit":true,"event":"maintenance_begun","actor":"operator:[^"]+",.*"retry_after":300/);
    await within5s(503);
    for (const path of ['/items', '/users', '/nothing', '/openapi.json', '/oauth/authorize', '/healthy']) {
      const answer = await client.get(path);
      expectStatus(answer, 503);
      expect(answer.header('retry-after')).toBe('300');
    }
    expect(errorOf(await client.post('/items', { name: 'x' }), 503).code).toBe('maintenance');
    for (const path of ['/health/live', '/health/ready', '/docs']) expectStatus(await client.get(path), 200);
  });

  it('lasts over a restart, and ends within 5 s after it is switched off', async () => {
    await app.stop();
    app = await startApp({ database: databaseUnderTest(), databaseUrl: database.url });
    client = new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', app.adminKey]] });
    expectStatus(await client.get('/items'), 503);
    expect(admin('maintenance', 'off')).toMatchObject({ status: 0, said: expect.stringContaining('is over') });
    await within5s(200);
  });

  it.each([[['on']], [['on', '0']], [['on', 'x']], [['off', '1']], [[]]])(
    'invalid arguments (%j) print the usage',
    (args) => {
      expect(admin('maintenance', ...args)).toMatchObject({
        status: 2,
        said: expect.stringContaining('on <seconds> | off'),
      });
    },
  );
});

describeStartedOnce('Running: MAINTENANCE', () => {
  it('is maintenance from the start, and its value is sent in Retry-After', async () => {
    const app = await startApp({ database: databaseUnderTest(), env: { MAINTENANCE: '120' } });
    const answer = await new HttpClient({ baseUrl: app.baseUrl }).get('/items');
    expectStatus(answer, 503);
    expect(answer.header('retry-after')).toBe('120');
    await app.stop();
  });
});
