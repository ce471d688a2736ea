import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { CreatedApiKey, Order, User } from '@items/dtos/contract';
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

import { eventsOf, type ShownEvent } from '../harness/events.js';
import { cursorPageOf, errorOf, expectStatus, itemOf } from '../harness/reading.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';

const PROGRAM = join(__dirname, '../../../api/dist/admin.js');

/** A line of the audit log, within the other lines of standard error. */
const AUDIT_LINE = /^\{.*"audit":true.*\}\n/gm;

/** Output of `npm run admin`, and whether it succeeded. */
interface Said {
  readonly ok: boolean;
  readonly text: string;
  readonly audited: readonly string[];
}

function admin(url: string, ...args: string[]): Promise<Said> {
  const env = { PATH: process.env['PATH'], NODE_PATH: process.env['NODE_PATH'], DATABASE_URL: url };
  return new Promise((resolve) => {
    execFile(process.execPath, [...countingArgs(), PROGRAM, ...args], { env }, (error, stdout, stderr) => {
      const audited = (stderr.match(AUDIT_LINE) ?? []).map((line) => (JSON.parse(line) as { event: string }).event);
      resolve({ ok: error === null, text: stdout + stderr.replace(AUDIT_LINE, ''), audited });
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
    expect(made).toEqual({
      ok: true,
      text: expect.stringMatching(/^Backed up to .*, and read through: /) as string,
      audited: ['backup_made'],
    });
    const again = await admin(database.url, 'backup', file);
    expect(again).toEqual({
      ok: false,
      text: `There is a file ${file} already: give the backup another name.\n`,
      audited: [],
    });
  });

  it('restore brings back the state of the backup: keys, walks, ETags and idempotency continue', async () => {
    const file = join(folder, 'whole.backup');
    const { key } = (await client.post('/api-keys', { name: 'Key', scopes: ['items:read'] })).json() as CreatedApiKey;
    const once = itemInput({ name: 'Once' });
    const first = itemOf(await client.post('/items', once, ['Idempotency-Key', 'restored']), 201);
    const etag = (await client.get(`/items/${first.id}`)).header('etag');
    const good = cursorPageOf(await client.get('/items?limit=2&sort=name'));
    const told = await feed(client);
    expect((await admin(database.url, 'backup', file)).ok).toBe(true);

    const lost = itemOf(await client.post('/items', itemInput({ name: 'Lost' })), 201);
    const bad = cursorPageOf(await client.get('/items?limit=2&sort=name'));
    const { after: lostPlace } = await feed(client);
    expect((await admin(database.url, 'restore', file)).text).toMatch(/is in use: stop .*service first\.\n$/);
    await app.stop();
    const restored = await admin(database.url, 'restore', file);
    expect(restored).toMatchObject({ ok: true, audited: ['backup_restored'] });
    expect(restored.text).toMatch(/^Restored the backup of /);

    const env = { ADMIN_API_KEY: app.adminKey };
    app = await startApp({ database: databaseUnderTest(), databaseUrl: database.url, env });
    client = new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', app.adminKey]] });
    expectStatus(await new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', key]] }).get('/items'), 200);
    expect((await client.get(`/items/${first.id}`)).header('etag')).toBe(etag);
    errorOf(await client.get(`/items/${lost.id}`), 404);
    expect((await feed(client)).events).toEqual(told.events);
    expect((await feed(client, `&after=${told.after}`)).events).toEqual([]);
    expect(errorOf(await client.get(`/events?after=${lostPlace}`), 400).code).toBe('expired_cursor');
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
  });

  it('export and import carry items, users and orders to another database, while both services run', async () => {
    const item = itemOf(await client.post('/items', itemInput({ name: 'Ordered', price: 12.5 })), 201);
    const user = (
      await client.post('/users', { username: 'carried', password: 'correct horse battery' })
    ).json() as User;
    const identity = { issuer: 'https://login.example', subject: 'carried' };
    expectStatus(await client.put(`/users/${user.id}/identity`, identity), 200);
    const placed = await client.post(`/users/${user.id}/orders`, { lines: [{ item_id: item.id, quantity: 2 }] });
    const order = placed.json() as Order;
    await client.post(`/users/${user.id}/orders/${order.id}/transitions`, { to: 'confirmed' });
    // The order of a deleted item keeps its captured name and price.
    expectStatus(await client.delete(`/items/${item.id}`), 204);
    const target = await provideDatabase(databaseUnderTest());
    const other = await startApp({ database: databaseUnderTest(), databaseUrl: target.url });
    const there = new HttpClient({ baseUrl: other.baseUrl, headers: [['X-API-Key', other.adminKey]] });
    const begun = (await there.get('/events?limit=1')).json() as { after: string };
    for (const collection of ['items', 'users', 'orders']) {
      const file = join(folder, `${collection}.ndjson`);
      const exported = await admin(database.url, 'export', collection, file);
      expect(exported).toMatchObject({ ok: true, audited: ['collection_exported'] });
      const imported = await admin(target.url, 'import', collection, file);
      expect(imported.text).toMatch(/^Imported \d+ \w+\.\n$/);
      expect(imported.audited.at(-1)).toBe('collection_imported');
      const path = `/${collection}?per_page=100`;
      expect((await there.get(path)).json()).toEqual((await client.get(path)).json());
    }
    const events = (await there.get(`/events?after=${begun.after}`)).json() as { events: { type: string }[] };
    expect(new Set(events.events.map(({ type }) => type))).toEqual(
      new Set(['item.created', 'user.created', 'order.created']),
    );
    const lost = join(folder, 'lost.ndjson');
    writeFileSync(lost, `${JSON.stringify({ user_id: user.id, lines: [{ item_id: item.id, quantity: 1 }] })}\n`);
    expect((await admin(target.url, 'import', 'orders', lost)).text).toBe(
      'line 1: validation_failed: "lines.0.item_id" is not the id of an item.\nNothing was imported: 1 line is wrong.\n',
    );
    expect((await there.post('/sessions', { username: 'carried', password: 'correct horse battery' })).status).toBe(
      401,
    );
    expectStatus(await there.put(`/users/${user.id}`, { username: 'carried', password: 'another horse battery' }), 200);
    expectStatus(await there.post('/sessions', { username: 'carried', password: 'another horse battery' }), 201);
    await other.stop();
    await target.drop();
  });

  /** Returns the whole feed, or the part after a position, with its last position. @param query prefixed by `&`. */
  async function feed(reader: HttpClient, query = ''): Promise<{ events: ShownEvent[]; after: string }> {
    const events: ShownEvent[] = [];
    let page = eventsOf(await reader.get(`/events?limit=100${query}`));
    for (events.push(...page.events); page.next_cursor !== undefined; events.push(...page.events)) {
      page = eventsOf(await reader.get(`/events?limit=100${query}&cursor=${encodeURIComponent(page.next_cursor)}`));
    }
    return { events, after: page.after };
  }

  const itCopies = globalThis.database === 'sqlite' && postgresUnderTest() !== undefined ? it : it.skip;
  itCopies(
    'copy moves to PostgreSQL: keys and walks continue to work during writes',
    async () => {
      for (let n = 0; n < 30; n += 1) expectStatus(await client.post('/items', itemInput({ name: 'Old' })), 201);
      const all = cursorPageOf(await client.get('/items?limit=100&sort=name'));
      const page = cursorPageOf(await client.get('/items?limit=2&sort=name'));
      expect((await admin(database.url, 'copy', '--to', 'postgres://127.0.0.1/x')).text).toMatch(/is in use: stop the/);
      await app.stop();
      const target = await provideDatabase('postgres');
      const copied = await admin(database.url, 'copy', '--to', target.url);
      expect(copied).toMatchObject({ ok: true, audited: ['database_copied'] });
      expect(copied.text).toContain('Copied, and compared row by row: ');

      const env = { ADMIN_API_KEY: app.adminKey };
      const moved = await startApp({ database: 'postgres', databaseUrl: target.url, env });
      const there = new HttpClient({ baseUrl: moved.baseUrl, headers: [['X-API-Key', moved.adminKey]] });
      // Write concurrently, so that PostgreSQL uses many lanes; SQLite has one.
      const replaced = all.items.map(({ id }) => there.put(`/items/${id}`, itemInput({ name: 'Replaced' })));
      for (const answer of await Promise.all(replaced)) expectStatus(answer, 200);
      const cursor = encodeURIComponent(page.next_cursor ?? '');
      const rest = cursorPageOf(await there.get(`/items?limit=100&sort=name&cursor=${cursor}`));
      expect([...page.items, ...rest.items]).toEqual(all.items);
      expect((await there.get('/items')).json()).toMatchObject({ total: all.items.length });
      await moved.stop();
      await target.drop();
      app = await startApp({ database: databaseUnderTest(), databaseUrl: database.url, env });
      client = new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', app.adminKey]] });
    },
    60_000,
  );

  itCopies(
    'copy moves to PostgreSQL: the feed is complete, and earlier positions and walks continue without gap or repetition',
    async () => {
      const early = eventsOf(await client.get('/events?limit=1'));
      for (let n = 0; n < 4; n += 1) expectStatus(await client.post('/items', itemInput()), 201);
      const before = await feed(client);
      const ids = before.events.map(({ id }) => id);
      await app.stop();
      const target = await provideDatabase('postgres');
      expect((await admin(database.url, 'copy', '--to', target.url)).ok).toBe(true);

      const env = { ADMIN_API_KEY: app.adminKey };
      const moved = await startApp({ database: 'postgres', databaseUrl: target.url, env });
      const there = new HttpClient({ baseUrl: moved.baseUrl, headers: [['X-API-Key', moved.adminKey]] });
      expect((await feed(there)).events).toEqual(before.events);
      const added = await Promise.all(Array.from({ length: 20 }, () => there.post('/items', itemInput())));
      const addedIds = added.map((answer) => itemOf(answer, 201).id);
      const objectsOf = (events: readonly ShownEvent[]): unknown[] => events.map(({ data }) => data.object['id']);
      const sorted = (values: readonly unknown[]): unknown[] => [...values].sort();
      // Continue from the reader's last position, from the middle, and by the cursor of a walk.
      expect(sorted(objectsOf((await feed(there, `&after=${before.after}`)).events))).toEqual(sorted(addedIds));
      const middle = Math.floor(ids.length / 2);
      const following = (await feed(there, `&after=${ids[middle - 1]!}`)).events.map(({ id }) => id);
      expect(following.slice(0, ids.length - middle)).toEqual(ids.slice(middle));
      expect(following).toHaveLength(ids.length - middle + addedIds.length);
      const walk = eventsOf(await there.get(`/events?limit=100&cursor=${encodeURIComponent(early.next_cursor ?? '')}`));
      expect(walk.events.map(({ id }) => id)).toEqual(ids.slice(1, 1 + walk.events.length));
      await moved.stop();
      await target.drop();
      app = await startApp({ database: databaseUnderTest(), databaseUrl: database.url, env });
      client = new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', app.adminKey]] });
    },
    60_000,
  );

  it('prints its usage', async () => {
    expect((await admin(database.url, 'backup')).text).toBe(
      'Usage: npm run admin -- backup <file> [--only-service | --include <table>,…] | --verify <file>\n',
    );
    const listed = await admin(database.url);
    expect(listed.ok).toBe(true);
    for (const name of ['create', 'backup', 'restore', 'copy', 'export', 'import', 'maintenance']) {
      expect(listed.text).toMatch(new RegExp(`^  ${name} .* {2}\\w`, 'm'));
    }
  });
});
