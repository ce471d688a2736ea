import { setTimeout as sleep } from 'node:timers/promises';

import type { Item } from '@items/dtos/contract';
import { HttpClient, provideDatabase, startApp, type RunningApp, type TestDatabase } from '@items/testing';

import { createMany } from '../harness/items.js';
import { cursorPageOf, offsetPageOf } from '../harness/reading.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';

const ROUNDS = Number(process.env['CHECK_INSTANCE_ROUNDS'] ?? 2);
const SORTS = [
  '',
  '&sort=price',
  '&sort=-price,name',
  '&sort=name',
  '&sort=-updated_at',
  '&sort=updated_at',
  '&sort=color,-price',
  '&sort=-created_at',
];
const COLORS = ['red', 'cyan', null];
const WRITERS = 8;

const env = { ADMIN_API_KEY: 'k'.repeat(40), CURSOR_TTL: '3600' };
const key = ['X-API-Key', env.ADMIN_API_KEY] as const;

describeStarted('§4 Cursor paging neither skips nor duplicates rows, with any number of service instances', () => {
  let database: TestDatabase;
  const apps: RunningApp[] = [];
  const deleted = new Set<string>();
  let ids: string[];

  const start = (): Promise<RunningApp> => startApp({ database: databaseUnderTest(), databaseUrl: database.url, env });
  const client = (instance: number): HttpClient =>
    new HttpClient({ baseUrl: apps[instance]!.baseUrl }).withHeaders(key);

  beforeAll(async () => {
    database = await provideDatabase(databaseUnderTest());
    apps.push(await start());
    apps.push(await start());
    ids = (await createMany(120, 'red', client(0))).map(({ id }) => id);
  });
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.stop()));
    await database.drop();
  });

  /** Requests an instance, or the first one if that fails, because the second one restarts. */
  async function fromEither<T>(instance: number, ask: (client: HttpClient) => Promise<T>): Promise<T> {
    try {
      return await ask(client(instance));
    } catch {
      return ask(client(0));
    }
  }

  async function write(isOver: () => boolean): Promise<void> {
    for (let n = 0; !isOver(); n++) {
      const target = `/items/${ids[Math.floor(Math.random() * ids.length)]!}`;
      const changed = { name: `N ${String(n % 9)}`, color: COLORS[n % 3], price: Math.floor(Math.random() * 30) };
      await fromEither(n % 2, (instance) => instance.put(target, changed));
      if (n % 20 === 0) await fromEither(n % 2, (instance) => instance.post('/items', changed));
    }
  }

  async function deleteOne(): Promise<void> {
    const id = ids.pop()!;
    deleted.add(id);
    await client(0).delete(`/items/${id}`);
  }

  /** Reads while nothing writes. */
  async function stateOf(query: string): Promise<Item[]> {
    const items: Item[] = [];
    for (let page = 1; ; page++) {
      const body = offsetPageOf(await client(page % 2).get(`/items?per_page=100&page=${String(page)}${query}`));
      items.push(...body.items);
      if (items.length >= body.total) return items;
    }
  }

  async function walkOn(first: { items: readonly Item[]; next_cursor?: string }, query: string): Promise<Item[]> {
    const walked = [...first.items];
    let cursor = first.next_cursor;
    for (let page = 1; cursor !== undefined; page++) {
      const target = `/items?limit=${String(1 + (page % 9))}${query}&cursor=${encodeURIComponent(cursor)}`;
      const body = cursorPageOf(await fromEither(page % 2, (instance) => instance.get(target)));
      walked.push(...body.items);
      cursor = body.next_cursor;
      await sleep(5);
    }
    return walked;
  }

  it(`${String(ROUNDS * 2 * SORTS.length)} walks are complete while their pages alternate between two instances, one of which restarts`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const queries = SORTS.flatMap((sort) => [sort, `${sort}&color=red,cyan`]);
      const walks = await Promise.all(
        queries.map(async (query, index) => ({
          query,
          before: await stateOf(query),
          first: cursorPageOf(await client(index % 2).get(`/items?limit=4${query}`)),
        })),
      );
      let over = false;
      const writing = Promise.all(Array.from({ length: WRITERS }, () => write(() => over)));
      const walking = Promise.all(
        walks.map(async (walk) => ({ ...walk, walked: await walkOn(walk.first, walk.query) })),
      );
      await deleteOne();
      await apps[1]!.stop(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
      apps[1] = await start();
      const done = await walking;
      over = true;
      await writing;
      for (const { query, before, walked } of done) {
        const isHere = ({ id }: Item): boolean => !deleted.has(id);
        expect({ query, walked: walked.filter(isHere) }).toEqual({ query, walked: before.filter(isHere) });
      }
    }
  }, 600_000);
});
