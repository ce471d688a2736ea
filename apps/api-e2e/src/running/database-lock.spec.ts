import {
  BUSY_MS,
  HttpClient,
  itemInput,
  openSqliteFile,
  provideDatabase,
  startApp,
  type RunningApp,
  type SqliteFile,
  type TestDatabase,
} from '@items/testing';

import { errorShapeProblems } from '../harness/error-shape.js';
import { expectStatus } from '../harness/reading.js';
import { describeStarted } from '../harness/service.js';

/** Tolerance for a busy machine. */
const WITHIN_MS = 5_000 + BUSY_MS;
const describeOnSqlite = globalThis.database === 'sqlite' ? describeStarted : describe.skip;

describeOnSqlite('§7 A database that is too slow: another process holds the lock of the SQLite file', () => {
  let database: TestDatabase;
  let app: RunningApp;
  let client: HttpClient;
  let other: SqliteFile;

  beforeAll(async () => {
    database = await provideDatabase('sqlite');
    app = await startApp({ database: 'sqlite', databaseUrl: database.url });
    client = new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', app.adminKey]], timeoutMs: 15_000 });
    expectStatus(await client.post('/items', itemInput()), 201);
    other = openSqliteFile(database.url);
  });

  afterAll(async () => {
    other.close();
    await app.stop();
    await database.drop();
  });

  it('writes return 503 within 5 s with Retry-After, reads continue, and all is well afterwards', async () => {
    other.exec('BEGIN IMMEDIATE');
    const started = performance.now();
    const writes = Array.from({ length: 6 }, () => client.post('/items', itemInput()));
    expectStatus(await client.get('/items'), 200);
    expectStatus(await client.get('/health/live'), 200);
    expect(performance.now() - started).toBeLessThan(500 + BUSY_MS);
    const refused = await Promise.all(writes);
    expect(performance.now() - started).toBeLessThan(WITHIN_MS);
    for (const answer of refused) expectStatus(answer, 503);
    expect(refused.every((answer) => /^[1-9]\d*$/.test(answer.header('retry-after') ?? ''))).toBe(true);
    expect(refused.flatMap(errorShapeProblems)).toEqual([]);
    other.exec('ROLLBACK');
    expectStatus(await client.post('/items', itemInput()), 201);
    expect((await client.get('/items')).json()).toMatchObject({ total: 2 });
  });

  it('§4 a repeat while the first is in flight is 409', async () => {
    other.exec('BEGIN IMMEDIATE');
    const body = itemInput({ name: 'Slow' });
    const both = [1, 2].map(() => client.post('/items', body, ['Idempotency-Key', 'slow']));
    // The second write does not wait for the first.
    expectStatus(await Promise.race(both), 409);
    other.exec('COMMIT');
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([201, 409]);
    const repeat = await client.post('/items', body, ['Idempotency-Key', 'slow']);
    expectStatus(repeat, 201);
    expect(repeat.header('idempotent-replayed')).toBe('true');
  });

  it('a short wait is not an error', async () => {
    other.exec('BEGIN IMMEDIATE');
    const write = client.post('/items', itemInput());
    await new Promise((resolve) => setTimeout(resolve, 500));
    other.exec('COMMIT');
    expectStatus(await write, 201);
  });
});
