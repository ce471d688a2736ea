import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { CreatedApiKey } from '@items/contracts';
import {
  countingArgs,
  HttpClient,
  itemInput,
  postgresUnderTest,
  provideDatabase,
  startApp,
  type RunningApp,
  type TestDatabase,
} from '@items/testing';

import { cursorPageOf, errorOf, expectStatus, itemOf } from '../harness/reading.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';

const PROGRAM = join(__dirname, '../../../api/dist/admin.js');

/** What `npm run admin` prints, and whether it went well. */
function admin(url: string, ...args: string[]): Promise<{ ok: boolean; text: string }> {
  const env = { PATH: process.env['PATH'], NODE_PATH: process.env['NODE_PATH'], DATABASE_URL: url };
  return new Promise((resolve) => {
    execFile(process.execPath, [...countingArgs(), PROGRAM, ...args], { env }, (error, stdout, stderr) => {
      resolve({ ok: error === null, text: stdout + stderr });
    });
  });
}

describeStarted('Running: npm run admin on a whole database', () => {
  let folder: string;
  let database: TestDatabase;
  let app: RunningApp;
  let client: HttpClient;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'items-operations-'));
    const name = databaseUnderTest();
    database = await provideDatabase(name);
    app = await startApp({ database: name, databaseUrl: database.url });
    client = new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', app.adminKey]] });
    for (let n = 0; n < 5; n += 1) expectStatus(await client.post('/items', itemInput({ name: `Item ${n}` })), 201);
  });
  afterAll(async () => {
    await app.stop();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  it('backup works while the service runs, and replaces nothing', async () => {
    const file = join(folder, 'items.backup');
    const made = await admin(database.url, 'backup', file);
    expect(made).toEqual({ ok: true, text: expect.stringMatching(/^Backed up to .*, and read through: /) as string });
    const again = await admin(database.url, 'backup', file);
    expect(again).toEqual({
      ok: false,
      text: `There is a file ${file} already: give the backup another name.\n`,
    });
  });

  it('restore brings back what the backup held: keys, walks, ETags and idempotency go on', async () => {
    const file = join(folder, 'whole.backup');
    const { key } = (await client.post('/api-keys', { name: 'Key', scopes: ['items:read'] })).json() as CreatedApiKey;
    const once = itemInput({ name: 'Once' });
    const first = itemOf(await client.post('/items', once, ['Idempotency-Key', 'restored']), 201);
    const etag = (await client.get(`/items/${first.id}`)).header('etag');
    const good = cursorPageOf(await client.get('/items?limit=2&sort=name'));
    expect((await admin(database.url, 'backup', file)).ok).toBe(true);

    const lost = itemOf(await client.post('/items', itemInput({ name: 'Lost' })), 201);
    const bad = cursorPageOf(await client.get('/items?limit=2&sort=name'));
    expect((await admin(database.url, 'restore', file)).text).toMatch(/is in use: stop .*service first\.\n$/);
    await app.stop();
    const restored = await admin(database.url, 'restore', file);
    expect(restored).toEqual({ ok: true, text: expect.stringMatching(/^Restored the backup of /) as string });

    const env = { ADMIN_API_KEY: app.adminKey };
    app = await startApp({ database: databaseUnderTest(), databaseUrl: database.url, env });
    client = new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', app.adminKey]] });
    expectStatus(await new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', key]] }).get('/items'), 200);
    expect((await client.get(`/items/${first.id}`)).header('etag')).toBe(etag);
    errorOf(await client.get(`/items/${lost.id}`), 404);
    for (let n = 0; n < 3; n += 1) expectStatus(await client.post('/items', itemInput({ name: 'New' })), 201);
    const rest = cursorPageOf(
      await client.get(`/items?limit=100&sort=name&cursor=${encodeURIComponent(good.next_cursor ?? '')}`),
    );
    expect(rest.items).toHaveLength(4);
    const refused = errorOf(
      await client.get(`/items?limit=2&sort=name&cursor=${encodeURIComponent(bad.next_cursor ?? '')}`),
      400,
    );
    expect(refused.code).toBe('expired_cursor');
    const repeated = await client.post('/items', once, ['Idempotency-Key', 'restored']);
    expect(repeated.header('idempotent-replayed')).toBe('true');
    expect((await client.get('/items')).json()).toMatchObject({ total: 9 });
  }, 60_000);

  const itCopies = globalThis.database === 'sqlite' && postgresUnderTest() !== undefined ? it : it.skip;
  itCopies(
    'copy moves to PostgreSQL: keys and walks go on, whatever is replaced there',
    async () => {
      for (let n = 0; n < 30; n += 1) expectStatus(await client.post('/items', itemInput({ name: 'Old' })), 201);
      const all = cursorPageOf(await client.get('/items?limit=100&sort=name'));
      const page = cursorPageOf(await client.get('/items?limit=2&sort=name'));
      expect((await admin(database.url, 'copy', '--to', 'postgres://127.0.0.1/x')).text).toMatch(/is in use: stop the/);
      await app.stop();
      const target = await provideDatabase('postgres');
      const copied = await admin(database.url, 'copy', '--to', target.url);
      expect(copied).toEqual({
        ok: true,
        text: expect.stringContaining('Copied, and compared row by row: ') as string,
      });

      const env = { ADMIN_API_KEY: app.adminKey };
      const moved = await startApp({ database: 'postgres', databaseUrl: target.url, env });
      const there = new HttpClient({ baseUrl: moved.baseUrl, headers: [['X-API-Key', moved.adminKey]] });
      // At once, so that they are written in many lanes, of which SQLite has one.
      const replaced = all.items.map(({ id }) => there.put(`/items/${id}`, itemInput({ name: 'Replaced' })));
      for (const answer of await Promise.all(replaced)) expectStatus(answer, 200);
      const cursor = encodeURIComponent(page.next_cursor ?? '');
      const rest = cursorPageOf(await there.get(`/items?limit=100&sort=name&cursor=${cursor}`));
      expect([...page.items, ...rest.items]).toEqual(all.items);
      expect((await there.get('/items')).json()).toMatchObject({ total: all.items.length });
      await moved.stop();
      await target.drop();
      app = await startApp({ database: databaseUnderTest(), databaseUrl: database.url, env });
    },
    60_000,
  );

  it('says how it is called', async () => {
    expect((await admin(database.url, 'backup')).text).toBe('Usage: npm run admin -- backup <file>\n');
    expect((await admin(database.url)).text).toContain('  npm run admin -- backup <file> ');
  });
});
