import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { CreatedApiKey, Item } from '@items/dtos/contract';
import { countingArgs, HttpClient, itemInput, provideDatabase, startApp, type RunningApp } from '@items/testing';

import { eventsOf } from '../harness/events.js';
import { cursorPageOf, errorOf, expectStatus, itemOf, offsetPageOf } from '../harness/reading.js';
import { describeStarted } from '../harness/service.js';

const PROGRAM = join(__dirname, '../../../api/dist/admin.js');
const key = ['X-API-Key', 'k'.repeat(40)] as const;

(globalThis.database === 'postgres' ? describeStarted : describe.skip)(
  'Running: npm run admin -- copy to SQLite',
  () => {
    let folder: string;
    const apps: RunningApp[] = [];

    const started = async (database: 'postgres' | 'sqlite', databaseUrl: string): Promise<HttpClient> => {
      const app = await startApp({ database, databaseUrl, env: { ADMIN_API_KEY: key[1] } });
      apps.push(app);
      return new HttpClient({ baseUrl: app.baseUrl }).withHeaders(key);
    };
    const itemsOf = async (client: HttpClient): Promise<readonly Item[]> =>
      cursorPageOf(await client.get('/items?limit=100&sort=name')).items;

    beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'items-copy-down-'))));
    afterAll(async () => {
      await Promise.all(apps.map((app) => app.stop()));
      rmSync(folder, { recursive: true });
    });

    it('the service continues on SQLite with the same items, totals, credentials and feed; walks restart', async () => {
      const source = await provideDatabase('postgres');
      const production = await started('postgres', source.url);
      // Write concurrently, so that items are in many lanes, and share stamps.
      const made = await Promise.all(
        Array.from({ length: 60 }, (_, n) => production.post('/items', itemInput({ name: `N ${String(n)}` }))),
      );
      const ids = made.map((answer) => itemOf(answer, 201).id);
      await Promise.all(ids.slice(0, 20).map((id) => production.put(`/items/${id}`, itemInput({ name: 'Replaced' }))));
      expectStatus(await production.delete(`/items/${ids[30]!}`), 204);
      const created = await production.post('/api-keys', { name: 'Reader', scopes: ['items:read'] });
      expectStatus(created, 201);
      const first = cursorPageOf(await production.get('/items?limit=2'));
      const before = await itemsOf(production);
      const events = eventsOf(await production.get('/events?limit=100')).events;

      const file = join(folder, 'items.sqlite');
      const env = { PATH: process.env['PATH'], NODE_PATH: process.env['NODE_PATH'], DATABASE_URL: source.url };
      const args = [...countingArgs(), PROGRAM, 'copy', '--to', `sqlite:${file}`];
      expect(execFileSync(process.execPath, args, { env, encoding: 'utf8', stdio: 'pipe' })).toContain(
        'Copied, and compared row by row: ',
      );

      const laptop = await started('sqlite', `sqlite:${file}`);
      expect(await itemsOf(laptop)).toEqual(before);
      expect(offsetPageOf(await laptop.get('/items?per_page=1')).total).toBe(before.length);
      const reader = new HttpClient({ baseUrl: apps[1]!.baseUrl }).withHeaders([
        'X-API-Key',
        (created.json() as CreatedApiKey).key,
      ]);
      expectStatus(await reader.get('/items?limit=1'), 200);
      expect(errorOf(await laptop.get(`/items?limit=2&cursor=${first.next_cursor ?? ''}`), 400).code).toBe(
        'expired_cursor',
      );
      const copied = eventsOf(await laptop.get('/events?limit=100')).events;
      expect(copied.map(({ type, data }) => [type, data])).toEqual(events.map(({ type, data }) => [type, data]));
      for (const { id } of copied) expectStatus(await laptop.get(`/events/${id}`), 200);

      const page = eventsOf(await laptop.get('/events?limit=100'));
      const added = itemOf(await laptop.post('/items', itemInput({ name: 'New' })), 201);
      const news = eventsOf(await laptop.get(`/events?after=${page.after}`)).events;
      expect(news.map(({ data }) => data.object['id'])).toEqual([added.id]);
      const walked = cursorPageOf(await laptop.get('/items?limit=30&sort=name'));
      for (const { id } of before.slice(40)) await laptop.put(`/items/${id}`, itemInput({ name: 'Later' }));
      const rest = cursorPageOf(await laptop.get(`/items?limit=100&sort=name&cursor=${walked.next_cursor ?? ''}`));
      expect([...walked.items, ...rest.items]).toEqual([added, ...before].sort(byName));
      await source.drop();
    });
  },
);

function byName(one: Item, other: Item): number {
  if (one.name !== other.name) return one.name < other.name ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}
