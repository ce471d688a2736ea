import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import type { Item, User } from '@items/dtos/contract';
import type { CursorPage } from '@items/conventions';
import { HttpClient, withMovableClock } from '@items/testing';

import { startOn, type UpgradedService } from './upgraded-service.testing.js';

/** Data that clients hold from a released version. Its SQLite database is stored next to it. */
interface Released {
  /** Milliseconds since the epoch. */
  readonly made_at: number;
  readonly cursor_secret: string;
  /**
   * First pages of six items, `Item 1` to `Item 6`. Prices fall from 9.50 to 4.50, and the colours red and blue
   * alternate.
   */
  readonly lists: readonly { readonly query: string; readonly cursor: string; readonly served: readonly string[] }[];
  /** First page of the events. Absent if there were no events. */
  readonly feed?: { readonly after: string; readonly next_cursor: string; readonly served: readonly string[] };
  readonly access_token: string;
  readonly refresh_token: string;
  readonly api_key: string;
}

const FOLDER = join(__dirname, 'released');
const RELEASES = readdirSync(FOLDER).flatMap((file) => /^(.*)\.json$/.exec(file)?.[1] ?? []);
/** Expected members of each list, in its order. */
const WHOLE: Readonly<Record<string, readonly string[]>> = {
  'limit=2': ['Item 1', 'Item 2', 'Item 3', 'Item 4', 'Item 5', 'Item 6'],
  'limit=2&sort=-price,name': ['Item 1', 'Item 2', 'Item 3', 'Item 4', 'Item 5', 'Item 6'],
  'limit=1&color=red&sort=name': ['Item 1', 'Item 3', 'Item 5'],
};

describe('§4.1 What a released version has handed out is served by this one', () => {
  it.each(RELEASES)('%s: walks go on, the feed, tokens and keys', async (release) => {
    const released = JSON.parse(readFileSync(join(FOLDER, `${release}.json`), 'utf8')) as Released;
    const folder = mkdtempSync(join(tmpdir(), 'released-'));
    const file = join(folder, 'items.sqlite');
    writeFileSync(file, gunzipSync(readFileSync(join(FOLDER, `${release}.sqlite.gz`))));
    let running: UpgradedService | undefined;
    try {
      await withMovableClock(async (pass) => {
        running = await startOn({ dialect: 'sqlite', file }, { CURSOR_SECRET: released.cursor_secret });
        const { admin, url: baseUrl } = running;
        const all = (await admin.get('/items')).json() as { items: Item[] };
        const last = all.items.find(({ name }) => name === 'Item 5');
        pass(60_000);
        // Change an item that no walk has reached yet in all fields that filters and sorts use.
        const changed = { name: 'Another', color: 'green', price: 100 };
        expect((await admin.put(`/items/${last?.id ?? ''}`, changed)).status).toBe(200);
        expect((await admin.post('/items', { name: 'New', color: 'red', price: 1 })).status).toBe(201);
        for (const { query, cursor, served } of released.lists) {
          const names = [...served];
          let next: string | undefined = cursor;
          while (next !== undefined) {
            const answer = await admin.get(`/items?${query}&cursor=${next}`);
            expect([query, answer.status, answer.text]).toEqual([query, 200, answer.text]);
            const page = answer.json() as CursorPage<'items', Item>;
            names.push(...page.items.map(({ name }) => name));
            next = page.next_cursor;
          }
          expect([query, names]).toEqual([query, WHOLE[query]]);
        }
        if (released.feed !== undefined) {
          const feed = await admin.get(`/events?limit=100&after=${released.feed.after}`);
          const { events } = feed.json() as { events: { id: string }[] };
          expect(feed.status).toBe(200);
          // Seven events were stored (six items and a user). This test adds a change and a creation.
          expect(events).toHaveLength(6 + 1 + 2 - released.feed.served.length);
          expect(events.some(({ id }) => released.feed?.served.includes(id))).toBe(false);
          const rest = await admin.get(`/events?limit=100&cursor=${released.feed.next_cursor}`);
          expect([rest.status, (rest.json() as { events: object[] }).events]).toEqual([200, events.slice(0, -2)]);
        }
        const bearer = new HttpClient({ baseUrl, headers: [['Authorization', `Bearer ${released.access_token}`]] });
        expect(((await bearer.get('/users/me')).json() as User).username).toBe('mary');
        const key = new HttpClient({ baseUrl, headers: [['X-API-Key', released.api_key]] });
        expect((await key.get('/items')).status).toBe(200);
        const form = { grant_type: 'refresh_token', refresh_token: released.refresh_token, client_id: 'first-party' };
        const refreshed = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
        expect(refreshed.status).toBe(200);
        pass(3_600_000);
        const late = await admin.get(`/items?limit=2&cursor=${released.lists[0]?.cursor ?? ''}`);
        expect([late.status, (late.json() as { code: string }).code]).toEqual([400, 'expired_cursor']);
      }, released.made_at);
    } finally {
      await running?.stop();
      rmSync(folder, { recursive: true });
    }
  });
});
