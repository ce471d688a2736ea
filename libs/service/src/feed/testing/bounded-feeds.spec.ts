import type { Database, ValueReader } from '../../data/database/database.js';

import type { EventsRequest } from '../event-feed.js';
import { timeOf } from '../event-id.js';
import type { Visibility } from '../visibility.js';
import { type Asked, recordStatements } from './asked.testing.js';
import { ALL, AUDITED, describeOnBothDatabases, KINDS, Library } from './library.testing.js';
import { addManyEvents } from './many-events.testing.js';
import { siftedRows } from './sifted-rows.testing.js';

const LOAN = '01890000-0000-7000-8000-000000000001';
const READER = '01890000-0000-7000-8000-000000000002';
const OTHER = '01890000-0000-7000-8000-000000000003';
/** Number of loans: far more than the main thread reads. */
const COUNT = 7000;
/** Indexes of the events of type `loan.lost`, some of them adjacent. All others are `loan.created`. */
const LOST = [0, 1, 17, 999, 1000, 1001, 3500, 3501, 6998, 6999];
const [BOOKS, LOANS] = [KINDS.slice(0, 3), KINDS.slice(3)];

interface Seen {
  readonly numbers: readonly number[];
  readonly pages: number;
  readonly after: string;
  readonly slowReads: number;
}

describeOnBothDatabases('SPEC §4.1: no page of a feed examines many rows on the main thread', (under) => {
  let library: Library;
  let after: string;
  const slowCallers: string[] = [];
  const asked: Asked[] = [];

  beforeAll(async () => {
    library = await Library.begun(recording(under.database), AUDITED);
    const typeSql = `CASE WHEN n IN (${LOST.join(', ')}) THEN 'loan.lost' ELSE 'loan.created' END`;
    after = await addManyEvents(under.database, library, { count: COUNT, objectId: LOAN, ownerId: READER, typeSql });
  });

  function recording(database: Database): Database {
    const readSlowly = (caller: string, work: (reader: ValueReader) => Promise<unknown>, sinceMs?: number): unknown => {
      slowCallers.push(caller);
      return database.readSlowly(caller, work, sinceMs);
    };
    return recordStatements(database, asked, { readSlowly });
  }

  async function walk(request: Partial<EventsRequest>, visible: Visibility): Promise<Seen> {
    slowCallers.length = 0;
    const numbers: number[] = [];
    for (let [pages, cursor]: [number, string | undefined] = [1, undefined]; ; pages += 1) {
      const asked = { limit: 3, descending: false, after, caller: 'me', ...request, ...(cursor && { cursor }) };
      const { body } = await library.events.page(asked, () => visible);
      numbers.push(...body.events.map(({ data }) => Number((data.object as { mark: string }).mark)));
      cursor = body.next_cursor;
      if (cursor !== undefined) continue;
      expect(slowCallers.every((caller) => caller === 'me')).toBe(true);
      return { numbers, pages, after: body.after, slowReads: slowCallers.length };
    }
  }

  const own: Visibility = { all: [], own: LOANS, userId: READER };
  const books: Visibility = { all: BOOKS, own: LOANS, userId: READER };
  const ofObject = { objectId: LOAN };
  it.each<[string, Partial<EventsRequest>, Visibility, readonly number[], boolean]>([
    ['of one resource and a rare type', { ...ofObject, types: ['loan.lost'] }, ALL, LOST, true],
    ['of one resource and a type of which there is none', { ...ofObject, types: ['loan.returned'] }, ALL, [], true],
    ['of one resource that is another’s', ofObject, { ...own, userId: OTHER }, [], true],
    ['of one resource that is one’s own', { ...ofObject, types: ['loan.lost'] }, own, LOST, true],
    ['of one’s own and a rare type', { types: ['loan.lost'] }, own, LOST, true],
    ['of one’s own and a type of which there is none', { types: ['loan.returned'] }, own, [], true],
    ['of one’s own and of all books, by a rare type', { types: ['book.deleted', 'loan.lost'] }, books, LOST, true],
    ['of a type that an index has', { types: ['loan.lost'] }, ALL, LOST, false],
    ['of two types that an index has', { types: ['loan.lost', 'loan.returned'] }, ALL, LOST, false],
    ['of one’s own, without a user', { types: ['loan.lost'] }, { ...own, userId: null }, [], false],
  ])('%s', async (_, request, visible, expected, isSlow) => {
    const end = (await library.events.page({ limit: 1, descending: true }, () => ALL)).body.after;
    for (const limit of [1, 3, 100]) {
      const forwards = await walk({ ...request, limit }, visible);
      expect(forwards).toMatchObject({ numbers: expected, after: end });
      expect(forwards.slowReads > 0).toBe(isSlow);
      const backwards = await walk({ ...request, limit, descending: true }, visible);
      expect(backwards).toMatchObject({ numbers: expected.toReversed(), after: end });
      expect(backwards.slowReads > 0).toBe(isSlow);
    }
  });

  describe('an index serves the request even if PostgreSQL assumes that each value is common', () => {
    const [first, last] = [
      (): number => timeOf(after),
      async (): Promise<number> => {
        const { events } = (await library.events.page({ limit: 1, descending: true }, () => ALL)).body;
        return timeOf(events[0]?.id ?? '');
      },
    ];

    async function sifted(page: (cursor?: string) => Promise<{ next_cursor?: string }>): Promise<number> {
      let most = 0;
      for (let [pages, cursor]: [number, string | undefined] = [0, undefined]; pages < 3; pages += 1) {
        asked.length = 0;
        cursor = (await page(cursor)).next_cursor;
        const ofFeed = asked.filter(({ sql }) => /ORDER BY/.test(sql) && / FROM (audit_)?events /.test(sql));
        expect(ofFeed.length).toBeGreaterThan(0);
        for (const each of ofFeed) most = Math.max(most, await siftedRows(under.config, each));
        if (cursor === undefined) break;
      }
      return most;
    }

    it.each<[string, Partial<EventsRequest>]>([
      ['of an actor', { actorId: READER }],
      ['of an actor and a type', { actorId: READER, types: ['loan.created'] }],
      ['of an actor and a rare type', { actorId: READER, types: ['loan.lost'] }],
      ['of an actor and a type of which there is none', { actorId: READER, types: ['loan.returned'] }],
      ['of an actor who did nothing', { actorId: OTHER }],
      ['of an actor who did nothing of a type', { actorId: OTHER, types: ['loan.created'] }],
      ['of a rare type', { types: ['loan.lost'] }],
      ['of a type of which there is none', { types: ['loan.returned'] }],
      ['of a resource', { objectId: LOAN }],
      ['of a resource to which nothing was done', { objectId: OTHER }],
    ])('the audit uses it: %s', async (_, filter) => {
      const { audit } = library.events;
      if (audit === undefined) throw new Error('It records nothing.');
      for (const descending of [false, true]) {
        for (const range of [undefined, { min: first(), max: await last() }]) {
          const request = { limit: 3, descending, ...filter, ...(range && { range }) };
          const page = async (cursor?: string) =>
            (await audit.page({ ...request, ...(cursor && { cursor }) }, () => undefined)).body;
          expect(await sifted(page)).toBe(0);
        }
      }
    });

    it.each<[string, Partial<EventsRequest>, Visibility, number]>([
      ['of a rare type', { types: ['loan.lost'] }, ALL, 0],
      ['of a type of which there is none', { types: ['loan.returned'] }, ALL, 0],
      ['of some types that a reader may see', { types: ['book.deleted'] }, books, 0],
      ['of a resource to which nothing was done', { objectId: OTHER }, ALL, 0],
      ['of another reader', {}, { ...own, userId: OTHER }, 0],
      ['of a resource and a rare type', { objectId: LOAN, types: ['loan.returned'] }, ALL, 1000],
      ['of one’s own and a rare type', { types: ['loan.returned'] }, own, 1000],
    ])('the feed uses it: %s', async (_, filter, visible, most) => {
      for (const descending of [false, true]) {
        const request = { limit: 3, descending, after, ...filter };
        const page = async (cursor?: string) =>
          (await library.events.page({ ...request, ...(cursor && { cursor }) }, () => visible)).body;
        expect(await sifted(page)).toBeLessThanOrEqual(most);
      }
    });
  });

  it('serves a range of times', async () => {
    const { events } = (await library.events.page({ limit: 1, descending: false, after }, () => ALL)).body;
    const { events: newest } = (await library.events.page({ limit: 2, descending: true, after }, () => ALL)).body;
    const range = { min: timeOf(events[0]?.id ?? ''), max: timeOf(newest[1]?.id ?? '') };
    const request = { ...ofObject, types: ['loan.lost'] };
    expect((await walk({ ...request, range }, ALL)).numbers).toEqual(LOST);
    const nothing = { min: 0, max: timeOf(events[0]?.id ?? '') - 1 };
    expect(await walk({ ...request, range: nothing }, ALL)).toMatchObject({ numbers: [], slowReads: 0 });
  });

  it('reads near events on the main thread: full pages, and the end of the feed', async () => {
    const page = (request: Partial<EventsRequest>, visible = own) =>
      library.events.page({ limit: 20, descending: false, after, caller: 'me', ...request }, () => visible);
    slowCallers.length = 0;
    for (const descending of [false, true]) {
      expect((await page({ descending })).body.events).toHaveLength(20);
      expect((await page({ descending, ...ofObject })).body.events).toHaveLength(20);
      expect((await page({ descending, ...ofObject }, ALL)).body.events).toHaveLength(20);
      expect((await page({ descending }, ALL)).body.events).toHaveLength(20);
    }
    expect(slowCallers).toEqual([]);
    const near = await page({ descending: true, limit: 100 });
    const asked = { ...ofObject, types: ['loan.returned'], after: near.body.events.at(-1)?.id ?? '' };
    expect((await page(asked)).body.events).toEqual([]);
    expect(slowCallers).toEqual([]);
  });

  it('waits for an event after many others', async () => {
    const request = { limit: 3, descending: false, after, types: ['loan.returned'] };
    const waiting = { waitMs: 20_000, signals: [] };
    const waited = library.events.page(request, () => own, waiting);
    const loan = { mark: '5', n: 1, status: 'lent', reader_id: READER };
    const { id } = (await library.loans.create(loan, '/loans')).resource;
    await library.loans.replace(id, { ...loan, status: 'returned' }, () => undefined);
    const { body } = await waited;
    expect(body.events.map(({ type, data }) => [type, (data.object as { id: string }).id])).toEqual([
      ['loan.returned', id],
    ]);
  });

  it('reports how far it has read: the service reaches the end in steps', async () => {
    const found: number[] = [];
    let [position, steps, more] = [after, 0, true];
    while (more) {
      const segment = await library.events.segment(position, ['loan.lost'], own, 4);
      expect(segment.end > position).toBe(true);
      found.push(...segment.events.map(({ data }) => Number((data.object as { mark: string }).mark)));
      [position, steps, more] = [segment.end, steps + 1, segment.more];
    }
    expect(found).toEqual(LOST);
    expect(steps).toBeGreaterThan(5);
  });

  it('applies to audit events too', async () => {
    const { audit } = library.events;
    if (audit === undefined) throw new Error('It records nothing.');
    const numberOf = (id: string): number => Number.parseInt(id.slice(15, 18), 16);
    const lost = (await library.events.page({ limit: 100, descending: false, after, types: ['loan.lost'] }, () => ALL))
      .body.events;
    for (const [filter, expected] of [
      [{ objectId: LOAN, types: ['loan.lost'] }, lost.map(({ id }) => id)],
      [{ objectId: LOAN, actorId: OTHER }, []],
      [{ objectId: LOAN, actorId: READER, types: ['loan.lost'] }, lost.map(({ id }) => id)],
      [{ objectId: LOAN, actorId: READER, types: ['loan.returned'] }, []],
      [{ actorId: READER, types: ['loan.lost'] }, lost.map(({ id }) => id)],
      [{ types: ['loan.lost'] }, lost.map(({ id }) => id)],
    ] as const) {
      slowCallers.length = 0;
      for (const descending of [false, true]) {
        const request = { limit: 100, descending, after, caller: 'me', ...filter };
        const { body } = await audit.page(request, () => undefined);
        const ids = body.audit_events.map(({ id }) => id);
        expect(ids.map(numberOf)).toEqual((descending ? expected.toReversed() : expected).map(numberOf));
        expect(ids).toEqual(descending ? expected.toReversed() : expected);
      }
      expect(slowCallers.length > 0).toBe('objectId' in filter);
    }
  });
});
