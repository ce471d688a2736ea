import { randomUUID } from 'node:crypto';

import type { CreatedApiKey, Item } from '@items/dtos/contract';
import { HttpClient, itemInput, provideDatabase, startApp, type RunningApp, type TestDatabase } from '@items/testing';

import { conventions } from '../harness/conventions.js';
import { cursorPageOf, errorOf, expectStatus, itemOf } from '../harness/reading.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';

function clientOf(app: RunningApp, key = app.adminKey): HttpClient {
  return new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', key]], observers: [conventions] });
}

describeStarted('After a restart', () => {
  let database: TestDatabase;
  let first: RunningApp;
  let second: RunningApp;
  const idempotencyKey = randomUUID();
  const body = itemInput({ name: 'Once' });
  let items: Item[];
  let cursor: string;
  let created: CreatedApiKey;
  let etag: string | undefined;

  /** Kills the first service instead of stopping it: acknowledged writes must be in the database. */
  beforeAll(async () => {
    const name = databaseUnderTest();
    database = await provideDatabase(name);
    first = await startApp({ database: name, databaseUrl: database.url });
    const client = clientOf(first);
    expectStatus(await client.post('/items', body, ['Idempotency-Key', idempotencyKey]), 201);
    for (let i = 0; i < 5; i += 1) expectStatus(await client.post('/items', itemInput({ name: `Item ${i}` })), 201);
    created = (await client.post('/api-keys', { name: 'Key', scopes: ['items:read'] })).json() as CreatedApiKey;
    const page = cursorPageOf(await client.get('/items?limit=2&sort=name'));
    cursor = encodeURIComponent(page.next_cursor ?? '');
    items = [...cursorPageOf(await client.get('/items?limit=100')).items];
    etag = (await client.get(`/items/${items[0]?.id ?? ''}`)).header('etag');
    await first.stop('SIGKILL');
    second = await startApp({ database: name, databaseUrl: database.url });
  });

  afterAll(async () => {
    await second.stop();
    await database.drop();
  });

  it('every acknowledged write still exists', async () => {
    expect(cursorPageOf(await clientOf(second).get('/items?limit=100')).items).toEqual(items);
  });

  it('ETags are the same', async () => {
    expect((await clientOf(second).get(`/items/${items[0]?.id ?? ''}`)).header('etag')).toBe(etag);
  });

  it('a walk continues', async () => {
    const rest = cursorPageOf(await clientOf(second).get(`/items?limit=100&sort=name&cursor=${cursor}`));
    expect(rest.items).toHaveLength(4);
  });

  it('an Idempotency-Key is still remembered', async () => {
    const repeat = await clientOf(second).post('/items', body, ['Idempotency-Key', idempotencyKey]);
    expect(repeat.header('idempotent-replayed')).toBe('true');
    expect(itemOf(repeat, 201)).toEqual(items.find((item) => item.name === 'Once'));
  });

  it('keys still work', async () => {
    expectStatus(await clientOf(second, created.key).get('/items'), 200);
  });

  it('a new ADMIN_API_KEY works after the restart, and the former key stops working', async () => {
    expect(second.adminKey).not.toBe(first.adminKey);
    expectStatus(await clientOf(second).get('/api-keys'), 200);
    errorOf(await clientOf(second, first.adminKey).get('/items'), 401);
  });
});

describeStarted('Migrations run at start (advisory lock, so that many instances may start concurrently)', () => {
  it('three services start on one empty database, and see the same items', async () => {
    const name = databaseUnderTest();
    const database = await provideDatabase(name);
    const env = { ADMIN_API_KEY: 'k'.repeat(40) };
    const apps = await Promise.all([1, 2, 3].map(() => startApp({ database: name, databaseUrl: database.url, env })));
    const [one, two, three] = apps.map((app) => clientOf(app));
    const { id } = itemOf(await one!.post('/items', itemInput()), 201);
    expect(itemOf(await two!.get(`/items/${id}`)).id).toBe(id);
    const page = cursorPageOf(await three!.get('/items?limit=1'));
    expect(page.items).toHaveLength(1);
    await Promise.all(apps.map((app) => app.stop()));
    await database.drop();
  });
});
