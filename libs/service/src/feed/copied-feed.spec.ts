import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Database } from '../data/database/database.js';

import { positionAfter } from './event-id.js';
import { readEntries } from './feed-entries.js';
import { AUDIT_EVENTS, EVENTS } from './feed-table.js';
import { SqlitePlaces } from './sqlite-places.js';
import { ALL, AUDITED, KINDS, Library, openLibrary } from './testing/library.testing.js';
import type { Visibility } from './visibility.js';

const READER = '01890000-0000-7000-8000-000000000002';
const LOAN = '01890000-0000-7000-8000-000000000001';
/** Number of events per stamp. On PostgreSQL, rows may share a stamp. */
const SHARED = [3, 1, 40, 1, 2];

describe('A feed copied from PostgreSQL to SQLite, with events that share a stamp', () => {
  const folder = mkdtempSync(join(tmpdir(), 'items-copied-'));
  const ids: string[] = [];
  let database: Database;
  let library: Library;
  let before: string;

  beforeAll(async () => {
    database = await openLibrary({ dialect: 'sqlite', file: join(folder, 'items.sqlite') });
    library = await Library.begun(database, AUDITED);
    await library.books.create({ mark: 'before', n: 1 }, '/books');
    before = (await library.events.page({ limit: 1, descending: true }, () => ALL)).body.after;
    const places = new SqlitePlaces();
    const firstStamp = (Date.now() + 1) * 1000;
    const rows = SHARED.flatMap((count, n) => Array.from({ length: count }, (_, k) => idOfStamp(firstStamp + n, k)));
    await database.transaction(async (tx) => {
      for (const id of rows) {
        const place = places.next(id);
        await tx.query(
          `INSERT INTO events (place, id, type, object_id, owner_id, api_version, data)
           VALUES ($1, $2, 'loan.created', $3, $4, '2026-11-20', '{"object":{}}')`,
          [place, id, LOAN, READER],
        );
        await tx.query(
          `INSERT INTO audit_events (place, id, type, object_id, actor_type, user_id, changed)
           VALUES ($1, $2, 'loan.created', $3, 'user', $4, '[]')`,
          [place, id, LOAN, READER],
        );
      }
      await tx.query('UPDATE collection_lanes SET seq = $1, event_seq = $1', [places.lastStamp + 1]);
    });
    ids.push(...rows);
  });
  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  const own: Visibility = { all: [], own: KINDS, userId: READER };
  const page = (after: string, more: object = {}, visible = ALL) =>
    library.events.page({ limit: 100, descending: false, after, ...more }, () => visible);
  const idsOf = (events: readonly { readonly id: string }[]): string[] => events.map(({ id }) => id);

  it.each([
    ['all', {}, ALL],
    ['one resource', { objectId: LOAN }, ALL],
    ['a type', { types: ['loan.created'] }, ALL],
    ['one’s own', {}, own],
  ])('has no gap and no repetition behind each event: %s', async (_, filter, visible) => {
    for (const [index, after] of [before, ...ids].entries()) {
      expect(idsOf((await page(after, filter, visible)).body.events)).toEqual(ids.slice(index));
    }
  });

  it.each([false, true])('can be walked page by page, newest first: %s', async (descending) => {
    const walked: string[] = [];
    for (let cursor: string | undefined, more = true; more && walked.length < 100; more = cursor !== undefined) {
      const { body } = await page(before, { limit: 2, descending, ...(cursor && { cursor }) });
      walked.push(...idsOf(body.events));
      cursor = body.next_cursor;
    }
    expect(walked).toEqual(descending ? ids.toReversed() : ids);
  });

  it('has each event and its audit event under their common id', async () => {
    for (const id of ids) {
      expect((await library.events.get(id, ALL)).id).toBe(id);
      expect((await library.events.audit?.get(id))?.id).toBe(id);
      await expect(library.events.requireKept(id)).resolves.toBeUndefined();
    }
  });

  it('serves webhooks and long polls from each position', async () => {
    const last = ids.at(-1) ?? '';
    for (const [index, after] of [before, ...ids].entries()) {
      const { events } = await library.events.segment(after, undefined, ALL, 100);
      expect(idsOf(events)).toEqual(ids.slice(index));
      for (const table of [EVENTS, AUDIT_EVENTS]) {
        const news = await readEntries(database, table, after, last);
        expect(idsOf(news ?? [])).toEqual(ids.slice(index));
      }
    }
  });

  it('continues with new events after all copied ones', async () => {
    await library.books.create({ mark: 'behind', n: 1 }, '/books');
    const { events } = (await page(ids.at(-1) ?? '')).body;
    expect(events.map(({ type }) => type)).toEqual(['book.created']);
  });
});

/** @param stamp In microseconds since the epoch. @param n Number of the event among those with the stamp. */
function idOfStamp(stamp: number, n: number): string {
  const last = positionAfter(stamp);
  return `${last.slice(0, 19)}8${last.slice(20, 24)}${n.toString(16).padStart(12, '0')}`;
}
