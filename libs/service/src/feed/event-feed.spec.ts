import { randomUUID } from 'node:crypto';
import { getEventListeners } from 'node:events';

import type { Database } from '../data/database/database.js';
import { FIRST_CLOCK, LANES } from '../data/schema/schema.js';

import type { EventsPage, EventsRequest } from './event-feed.js';
import { keyOf } from './event-key.js';
import { EventPurge } from './event-purge.js';
import { EventsIncompleteError, FeedClock } from './feed-clock.js';
import { EVENTS } from './feed-table.js';
import { ALL, DAY_MS, describeOnBothDatabases, KINDS, Library, openLibrary } from './testing/library.testing.js';
import type { Visibility } from './visibility.js';

const READER = '01890000-0000-7000-8000-000000000001';
const OTHER = '01890000-0000-7000-8000-000000000002';
const ANY_STATE = (): void => undefined;
const NOTHING = { warn: () => undefined };

async function pageOf(
  library: Library,
  request: Partial<EventsRequest> = {},
  visible = ALL,
): Promise<EventsPage['body']> {
  return (await library.events.page({ limit: 100, descending: false, ...request }, () => visible)).body;
}

async function addBook(library: Library, mark: string): Promise<string> {
  return (await library.books.create({ mark, n: 1 }, '/books')).resource.id;
}

async function addLoan(library: Library, reader: string, mark = 'lent'): Promise<string> {
  const { resource } = await library.loans.create({ mark, n: 1, status: 'lent', reader_id: reader }, '/loans');
  return resource.id;
}

function isSqlite({ dialect }: Database): boolean {
  return dialect === 'sqlite';
}

function marksOf({ events }: EventsPage['body']): string[] {
  return events.map(({ data }) => (data.object as { mark: string }).mark);
}

describeOnBothDatabases('The events of a write (SPEC §6.1)', (under) => {
  let library: Library;
  let after: string;

  beforeEach(async () => {
    library = await Library.begun(under.database);
    ({ after } = await pageOf(library, { descending: true, limit: 1 }));
  });

  it('have the order of the creations in one statement', async () => {
    const marks = Array.from({ length: 13 }, (_, n) => `together ${String(n)}`);
    await Promise.all(marks.map((mark) => addBook(library, mark)));
    const page = await pageOf(library, { after });
    const seen = marksOf(page);
    if (isSqlite(under.database)) expect(seen).toEqual(marks);
    // PostgreSQL may reorder the concurrent statements, which insert 8, 4 and 1 rows.
    else
      for (const [from, to] of [
        [0, 8],
        [8, 12],
        [12, 13],
      ] as const)
        expect(seen.filter((mark) => marks.slice(from, to).includes(mark))).toEqual(marks.slice(from, to));
    expect(new Set(page.events.map(({ id }) => id)).size).toBe(13);
  });

  it('are one for each creation, update and deletion, with the previous values', async () => {
    const id = await addBook(library, 'first');
    const { resource } = await library.books.replace(id, { mark: 'second', n: 1 }, ANY_STATE);
    await library.books.remove(id, ANY_STATE);
    const { events } = await pageOf(library, { after });
    const created = Object.assign({}, resource, { mark: 'first', updated_at: resource.created_at });
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['book.created', { object: created }],
      ['book.updated', { object: resource, previous: expect.objectContaining({ mark: 'first' }) }],
      ['book.deleted', { object: resource }],
    ]);
    expect(Object.keys(events[1]?.data.previous ?? {}).sort()).toEqual(
      resource.updated_at === resource.created_at ? ['mark'] : ['mark', 'updated_at'],
    );
    expect(new Set(events.map(({ api_version: version }) => version))).toEqual(new Set(['2026-11-20']));
    for (const { id: event, timestamp } of events) {
      expect(event).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(10_000);
    }
  });

  it('are one for each of many members inserted together, in order and before later events', async () => {
    const marks = Array.from({ length: 40 }, (_, n) => `number ${String(n)}`);
    await under.database.transaction((tx) =>
      library.books.insertAll(
        tx,
        marks.map((mark, n) => ({ fields: { mark, n } })),
      ),
    );
    const loan = { mark: 'lent', n: 1, status: 'lent', reader_id: READER };
    await under.database.transaction((tx) => library.loans.insertAll(tx, [{ fields: loan }]));
    await addBook(library, 'later');
    const page = await pageOf(library, { after });
    expect(marksOf(page)).toEqual([...marks, 'lent', 'later']);
    expect(page.events[0]).toMatchObject({ type: 'book.created', api_version: '2026-11-20' });
    const own: Visibility = { all: [], own: KINDS, userId: READER };
    expect(marksOf(await pageOf(library, { after }, own))).toEqual(['lent']);
  });

  it('have the type of the new state, and only the published fields', async () => {
    const id = await addLoan(library, READER);
    const change = { mark: 'back', n: 2, status: 'returned' };
    await under.database.transaction((tx) => library.loans.update(tx, id, change, ANY_STATE));
    expect((await pageOf(library, { after })).events.map(({ type, data }) => [type, data])).toEqual([
      ['loan.created', { object: { id, mark: 'lent', n: 1, status: 'lent' } }],
      ['loan.returned', { object: { id, ...change }, previous: { mark: 'lent', n: 1, status: 'lent' } }],
    ]);
  });

  it('include an update that changes only updated_at', async () => {
    const id = await addBook(library, 'same');
    await library.books.replace(id, { mark: 'same', n: 1 }, ANY_STATE);
    const [, updated] = (await pageOf(library, { after })).events;
    expect(updated).toMatchObject({ type: 'book.updated' });
    expect(Object.keys(updated?.data.previous ?? {}).every((field) => field === 'updated_at')).toBe(true);
  });

  it('exclude writes that were refused, rolled back, or made without updated_at', async () => {
    const id = await addBook(library, 'kept');
    const refuse = (): never => {
      throw new Error('another state');
    };
    await expect(library.books.replace(id, { mark: 'refused', n: 2 }, refuse)).rejects.toThrow('another state');
    await expect(
      under.database.transaction(async (tx) => {
        await library.books.insert(tx, { mark: 'undone', n: 1 });
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    await under.database.transaction((tx) => library.books.updateKeepingTime(tx, id, { mark: 'noted' }));
    expect(marksOf(await pageOf(library, { after }))).toEqual(['kept']);
  });

  it('are one for a creation repeated with its Idempotency-Key', async () => {
    const repeatable = { callerId: 'c', route: '/books', key: randomUUID(), fingerprint: 'f' };
    await library.books.create({ mark: 'once', n: 1 }, '/books', repeatable);
    await library.books.create({ mark: 'once', n: 1 }, '/books', repeatable);
    expect(marksOf(await pageOf(library, { after }))).toEqual(['once']);
  });

  it('are converted to the current form if they were stored in an older one', async () => {
    const older = await Library.begun(under.database, { apiVersion: '2026-05-20' });
    await addBook(older, 'kept before');
    await addBook(library, 'kept since');
    const turned: string[] = [];
    const current = await Library.begun(under.database, {
      inCurrentForm: (event) => {
        turned.push(event.id);
        return { ...event, api_version: '2026-11-20', data: { object: { mark: 'turned' } } };
      },
    });
    const page = await pageOf(current, { after });
    expect(page.events.map(({ api_version: version }) => version)).toEqual(['2026-11-20', '2026-11-20']);
    expect(marksOf(page)).toEqual(['turned', 'kept since']);
    const [first] = page.events;
    expect(await current.events.get(first?.id ?? '', ALL)).toEqual(first);
    expect(turned).toEqual([first?.id, first?.id]);
  });
});

describeOnBothDatabases('A page of the feed (SPEC §6.1)', (under) => {
  let library: Library;
  let after: string;
  const marks = Array.from({ length: 7 }, (_, index) => `m${String(index)}`);

  beforeAll(async () => {
    library = await Library.begun(under.database);
    ({ after } = await pageOf(library, { descending: true, limit: 1 }));
    for (const mark of marks) await addBook(library, mark);
  });

  async function walk(request: Partial<EventsRequest>, between: () => Promise<unknown>): Promise<string[]> {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const body = await pageOf(library, { ...request, ...(cursor !== undefined && { cursor }) });
      seen.push(...marksOf(body));
      cursor = body.next_cursor;
      await between();
    } while (cursor !== undefined);
    return seen;
  }

  it('leads to the next ones up to the end of the feed at the first page, in both directions', async () => {
    const nothing = (): Promise<unknown> => Promise.resolve();
    expect(await walk({ after, limit: 3 }, nothing)).toEqual(marks);
    expect(await walk({ after, limit: 3, descending: true }, nothing)).toEqual(marks.toReversed());
    const late: string[] = [];
    const addLate = async (): Promise<void> => {
      late.push(`late${String(late.length)}`);
      await addBook(library, late.at(-1) ?? '');
    };
    expect(await walk({ after, limit: 3 }, addLate)).toEqual(marks);
    expect(late.length).toBeGreaterThan(2);
    expect(await walk({ after, limit: 100, descending: true }, nothing)).toEqual([...marks, ...late].toReversed());
  });

  it('returns the position that it reached, even if it is empty, and the next page begins after it', async () => {
    const first = await pageOf(library, { after, limit: 2 });
    const second = await pageOf(library, { after: first.after, limit: 2 });
    expect([marksOf(first), marksOf(second)]).toEqual([marks.slice(0, 2), marks.slice(2, 4)]);
    expect(first.after).toBe(first.events[1]?.id);
    const rest = await pageOf(library, { after: second.after });
    const empty = await pageOf(library, { after: rest.after });
    expect(empty).toEqual({ events: [], limit: 100, after: rest.after });
    await addBook(library, 'next');
    expect(marksOf(await pageOf(library, { after: empty.after }))).toEqual(['next']);
  });

  it('reaches the end of the feed even if nothing matches', async () => {
    const end = (await pageOf(library, { descending: true, limit: 1 })).after;
    expect(await pageOf(library, { after, types: ['loan.lost'] })).toEqual({ events: [], limit: 100, after: end });
  });

  it('refuses a cursor for another filter, sort or position, and a forged one', async () => {
    const { next_cursor: cursor = '' } = await pageOf(library, { after, limit: 2 });
    for (const other of [
      { types: ['book.created'] },
      { descending: true },
      { after: `${after.slice(0, -1)}${after.endsWith('0') ? '1' : '0'}` },
      { objectId: READER },
    ]) {
      const request = { after, limit: 2, cursor, ...other };
      await expect(pageOf(library, request)).rejects.toMatchObject({ code: 'invalid_cursor' });
    }
    await expect(pageOf(library, { cursor: 'AAAA' })).rejects.toMatchObject({ code: 'invalid_cursor' });
    expect(marksOf(await pageOf(library, { limit: 2, cursor }))).toEqual(marks.slice(2, 4));
  });
});

describeOnBothDatabases('The visibility of events (SPEC §6.1)', (under) => {
  let library: Library;
  let after: string;
  let book: string;
  const loans: string[] = [];

  beforeAll(async () => {
    library = await Library.begun(under.database);
    ({ after } = await pageOf(library, { descending: true, limit: 1 }));
    book = await addBook(library, 'book');
    loans.push(await addLoan(library, READER, 'mine'), await addLoan(library, OTHER, 'theirs'));
    await library.books.replace(book, { mark: 'book again', n: 2 }, ANY_STATE);
  });

  const [books, ofLoans] = [KINDS.slice(0, 3), KINDS.slice(3)];
  it.each<[string, Visibility, string[]]>([
    ['all', ALL, ['book', 'mine', 'theirs', 'book again']],
    ['their own', { all: books, own: ofLoans, userId: READER }, ['book', 'mine', 'book again']],
    ['only their own', { all: [], own: ofLoans, userId: READER }, ['mine']],
    ['one collection', { all: books, own: [], userId: READER }, ['book', 'book again']],
    ['nothing of their own, without a user', { all: books, own: ofLoans, userId: null }, ['book', 'book again']],
    ['nothing', { all: [], own: [], userId: READER }, []],
  ])('is %s', async (_, visible, seen) => {
    expect(marksOf(await pageOf(library, { after }, visible))).toEqual(seen);
    expect(marksOf(await pageOf(library, { after, descending: true }, visible))).toEqual(seen.toReversed());
    const all = (await pageOf(library, { after })).events;
    const known = await Promise.all(
      all.map(({ id }) =>
        library.events.get(id, visible).then(
          (event) => event.data,
          () => 404,
        ),
      ),
    );
    expect(known).toEqual(all.map(({ data }) => (seen.includes((data.object as { mark: string }).mark) ? data : 404)));
  });

  it('can be filtered by type and by resource', async () => {
    const mine: Visibility = { all: books, own: ofLoans, userId: READER };
    const narrowed = async (request: Partial<EventsRequest>, visible = ALL): Promise<string[]> =>
      marksOf(await pageOf(library, { after, ...request }, visible));
    expect(await narrowed({ types: ['book.updated', 'loan.created'] })).toEqual(['mine', 'theirs', 'book again']);
    expect(await narrowed({ types: ['book.updated', 'loan.created'] }, mine)).toEqual(['mine', 'book again']);
    expect(await narrowed({ objectId: book })).toEqual(['book', 'book again']);
    expect(await narrowed({ objectId: book, types: ['book.created'] }, mine)).toEqual(['book']);
    expect(await narrowed({ objectId: loans[1]! })).toEqual(['theirs']);
    expect(await narrowed({ objectId: loans[1]! }, mine)).toEqual([]);
  });

  it('excludes gaps and types that this instance does not know', async () => {
    const marks = await under.database.query<{ id: string }>("SELECT id FROM events WHERE type = 'gap'");
    await expect(library.events.get(marks[0]!.id, ALL)).rejects.toMatchObject({ status: 404 });
    const [id] = (await pageOf(library, { after })).events.map((event) => event.id);
    const newer = `${id!.slice(0, -1)}${id!.endsWith('0') ? '1' : '0'}`;
    await under.database.transaction((tx) =>
      tx.query(
        `INSERT INTO events (${isSqlite(under.database) ? 'place, ' : ''}id, type, object_id, api_version, data)
         SELECT ${isSqlite(under.database) ? 'place + 1, ' : ''}CAST($1 AS ${under.database.dialect === 'postgres' ? 'uuid' : 'text'}), 'webhook.disabled', object_id, '', '{}'
         FROM events WHERE id = $2`,
        [newer, id!],
      ),
    );
    expect((await pageOf(library, { after })).events.map(({ type }) => type)).not.toContain('webhook.disabled');
    expect((await pageOf(library, { after, objectId: book })).events).toHaveLength(2);
    await expect(library.events.get(newer, ALL)).rejects.toMatchObject({ status: 404 });
  });
});

describeOnBothDatabases('A position (SPEC §6.1)', (under) => {
  /** Moves an event and its row into the past. */
  async function age(database: Database, id: string, byMs: number): Promise<string> {
    const time = (Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) - byMs).toString(16).padStart(12, '0');
    const older = `${time.slice(0, 8)}-${time.slice(8)}${id.slice(13)}`;
    const place = isSqlite(database) ? `, place = ${String(keyOf('sqlite', older))}` : '';
    await database.transaction((tx) => tx.query(`UPDATE events SET id = $1${place} WHERE id = $2`, [older, id]));
    return older;
  }

  it('is refused with 400 expired_cursor if this database never reached it or lost it', async () => {
    const library = await Library.begun(under.database);
    await addBook(library, 'a');
    await addBook(library, 'b');
    const { after } = await pageOf(library, { descending: true, limit: 1 });
    await under.database.transaction((tx) => tx.query('DELETE FROM events WHERE id = $1', [after]));
    const ahead = 'ffffffff-ffff-7000-8000-000000000000';
    for (const position of [after, ahead, '01890000-0000-7000-8000-000000000000']) {
      await expect(pageOf(library, { after: position })).rejects.toMatchObject({ status: 400, code: 'expired_cursor' });
    }
  });

  it('is refused if events after it have expired, purged or not; the last expired one stays valid', async () => {
    const library = await Library.begun(under.database, { keptMs: DAY_MS });
    const { after: begin } = await pageOf(library, { descending: true, limit: 1 });
    const positions: string[] = [];
    for (const mark of ['a', 'b', 'c', 'd']) {
      await addBook(library, mark);
      positions.push((await pageOf(library, { descending: true, limit: 1 })).after);
    }
    const [a = '', b = '', c = '', d = ''] = positions;
    const start = await age(under.database, begin, 5 * DAY_MS);
    const [oldA, oldB] = [await age(under.database, a, 3 * DAY_MS), await age(under.database, b, 2 * DAY_MS)];
    const judge = async (): Promise<void> => {
      for (const position of [start, oldA]) {
        await expect(pageOf(library, { after: position })).rejects.toMatchObject({ code: 'expired_cursor' });
      }
      expect(marksOf(await pageOf(library, { after: oldB }))).toEqual(['c', 'd']);
      expect(marksOf(await pageOf(library, { after: c }))).toEqual(['d']);
      expect(marksOf(await pageOf(library))).toEqual(['c', 'd']);
      expect(marksOf(await pageOf(library, { descending: true }))).toEqual(['d', 'c']);
      await expect(library.events.get(oldB, ALL)).rejects.toMatchObject({ status: 404 });
      expect(await library.events.get(d, ALL)).toMatchObject({ id: d });
    };
    await judge();
    const before = await count(under.database);
    const purge = new EventPurge(under.database, NOTHING, DAY_MS);
    expect(await purge.purge()).toBeGreaterThan(0);
    expect(await count(under.database)).toBeLessThan(before);
    expect(await purge.purge()).toBe(0);
    await judge();
  });

  it('stays valid at any age if no event follows it', async () => {
    const library = await Library.begun(under.database);
    await addBook(library, 'last');
    const { after } = await pageOf(library, { descending: true, limit: 1 });
    const later = Date.now() + 40 * DAY_MS;
    await new EventPurge(under.database, NOTHING, 30 * DAY_MS).purge(undefined, later);
    expect(await count(under.database)).toBe(1);
    jest.spyOn(Date, 'now').mockReturnValue(later);
    try {
      expect(await pageOf(library, { after })).toEqual({ events: [], limit: 100, after });
    } finally {
      jest.restoreAllMocks();
    }
  });

  async function count(database: Database): Promise<number> {
    const [row] = await database.query<{ n: number }>('SELECT count(*) AS n FROM events');
    return Number(row?.n);
  }
});

describeOnBothDatabases('Concurrent readers', (under) => {
  it('share one read of the end of the feed, which includes all earlier responses', async () => {
    const library = await Library.begun(under.database);
    const { after } = await pageOf(library);
    await addBook(library, 'answered');
    const asked = jest.spyOn(under.database, 'query');
    const stretches = await Promise.all(
      Array.from({ length: 20 }, () => library.events.segment(after, undefined, ALL, 100)),
    );
    const looks = asked.mock.calls.filter(([sql]) => sql.includes('AS lowest'));
    asked.mockRestore();
    expect(stretches.map(({ events }) => events.length)).toEqual(Array(20).fill(1));
    // PostgreSQL may need a second read after it has advanced the lanes.
    expect(looks.length).toBeLessThanOrEqual(2);
  });
});

describeOnBothDatabases('The feed of a service with an additional collection (SPEC §6.1)', (under) => {
  const add = (collection: string, seq: number): Promise<unknown> =>
    under.database.transaction(async (tx) => {
      const columns = 'collection, lane, seq, n, floor, checkpoint, checkpoint_at';
      for (let lane = 0; lane < LANES[under.database.dialect]; lane += 1) {
        await tx.query(`INSERT INTO collection_lanes (${columns}) VALUES ($1, $2, $3, 0, 0, 0, 0)`, [
          collection,
          lane,
          seq,
        ]);
      }
    });

  it('continues if nothing was written to the collection yet', async () => {
    const library = await Library.begun(under.database);
    await addBook(library, 'before');
    const { after } = await pageOf(library);
    await add('films', FIRST_CLOCK);
    await new FeedClock(under.database, EVENTS).begin(['films']);
    await addBook(library, 'since');
    expect(marksOf(await pageOf(library, { after }))).toEqual(['since']);
    expect(marksOf(await pageOf(library))).toEqual(['before', 'since']);
  });

  it('has a gap if rows were written to it without events', async () => {
    const library = await Library.begun(under.database);
    const { after } = await pageOf(library);
    await add('plays', 1_000_000);
    await new FeedClock(under.database, EVENTS).begin(['plays']);
    await expect(pageOf(library, { after })).rejects.toMatchObject({ code: 'expired_cursor' });
  });
});

describeOnBothDatabases('An instance without events next to one with events (SPEC §6.1)', (under) => {
  let library: Library;
  /** An instance that makes no events, like one of the previous version or with `EVENTS=off`. */
  let silent: Library;

  beforeAll(async () => {
    silent = new Library(under.database, { off: true });
    await silent.events.begin();
    await addBook(silent, 'before there were events');
    library = await Library.begun(under.database);
  });

  it('leaves a gap: earlier positions expire, with either instance as the next writer', async () => {
    expect(marksOf(await pageOf(library))).toEqual([]);
    await addBook(library, 'told');
    const told = await pageOf(library);
    expect(marksOf(told)).toEqual(['told']);
    await addBook(silent, 'untold');
    for (let n = 0; n < 40; n += 1) await addBook(library, 'hides the gap');
    await expect(pageOf(library, { after: told.after })).rejects.toMatchObject({ code: 'expired_cursor' });
    const anew = await pageOf(library);
    expect(marksOf(anew)).toEqual([]);
    await addBook(library, 'told again');
    expect(marksOf(await pageOf(library, { after: anew.after }))).toEqual(['told again']);
    expect(marksOf(await pageOf(library))).toEqual(['told again']);
  });

  it('leaves a gap even if its clock is behind', async () => {
    const { after } = await pageOf(library);
    const now = Date.now();
    await addBook(library, 'now');
    const page = await pageOf(library, { after });
    jest.spyOn(Date, 'now').mockReturnValue(now - 60_000);
    await addBook(silent, 'untold');
    jest.restoreAllMocks();
    await expect(pageOf(library, { after: page.after })).rejects.toMatchObject({ code: 'expired_cursor' });
  });

  it('leaves a gap each time, even while the clock of another collection is ahead', async () => {
    await under.database.transaction((tx) =>
      tx.query(
        "UPDATE collection_lanes SET seq = seq + 60000000, event_seq = seq + 60000000 WHERE collection = 'loans'",
      ),
    );
    let { after } = await pageOf(library);
    for (let time = 0; time < 5; time += 1) {
      await addBook(silent, 'untold');
      await expect(pageOf(library, { after })).rejects.toMatchObject({ code: 'expired_cursor' });
      ({ after } = await pageOf(library));
    }
    await addBook(library, 'told');
    expect(marksOf(await pageOf(library, { after }))).toEqual(['told']);
  });

  it('leaves a gap during a walk', async () => {
    for (const mark of ['a', 'b', 'c']) await addBook(library, mark);
    const { next_cursor: cursor = '' } = await pageOf(library, { limit: 1 });
    await addBook(silent, 'untold');
    await expect(pageOf(library, { limit: 1, cursor })).rejects.toMatchObject({ code: 'expired_cursor' });
  });

  it('has no feed itself: 404 events_off', async () => {
    await expect(pageOf(silent)).rejects.toMatchObject({ status: 404, code: 'events_off' });
    await expect(silent.events.get(READER, ALL)).rejects.toMatchObject({ status: 404, code: 'events_off' });
  });

  it('makes the feed wait while it writes, then 503', async () => {
    const over = new AbortController();
    const writing = (async () => {
      while (!over.signal.aborted) await addBook(silent, 'untold');
    })();
    const outcome = await pageOf(library).catch((error: unknown) => error);
    over.abort();
    await writing;
    // Between two writes, the feed may be complete, but no event is missing.
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(EventsIncompleteError);
    else expect(marksOf(outcome as EventsPage['body'])).toEqual([]);
    expect(marksOf(await pageOf(library))).toEqual([]);
  });
});

describeOnBothDatabases('A long poll (SPEC §6.1)', (under) => {
  let library: Library;
  let after: string;

  beforeEach(async () => {
    library = await Library.begun(under.database);
    ({ after } = await pageOf(library, { descending: true, limit: 1 }));
  });

  const never = new AbortController().signal;
  const waitFor = (
    request: Partial<EventsRequest>,
    signal = never,
    visibility = (): Visibility => ALL,
    waitMs = 20_000,
  ) =>
    library.events.page({ limit: 100, descending: false, after, ...request }, visibility, {
      waitMs,
      signals: [signal],
    });

  it('returns when an event is written by this instance or another', async () => {
    const own = waitFor({});
    await addBook(library, 'own');
    expect(marksOf((await own).body)).toEqual(['own']);
    const others = waitFor({ after: (await own).body.after });
    const second = await openLibrary(under.config);
    try {
      await addBook(await Library.begun(second), 'another’s');
      expect(marksOf((await others).body)).toEqual(['another’s']);
    } finally {
      await second.close();
    }
  });

  it('waits while no requested event is written', async () => {
    const waiting = waitFor({ types: ['loan.created'] });
    await addBook(library, 'not asked for');
    await addLoan(library, READER, 'asked for');
    expect(marksOf((await waiting).body)).toEqual(['asked for']);
  });

  it.each<[string, Partial<EventsRequest>, Visibility]>([
    ['another kind', { types: ['loan.lost'] }, ALL],
    ['another resource', { objectId: OTHER }, ALL],
    ['another owner', {}, { all: ['book.deleted'], own: ['loan.created'], userId: OTHER }],
  ])('reads the feed no more often for events of %s', async (_what, request, visible) => {
    let looks = 0;
    let written = 0;
    const over = new AbortController();
    const look = (): Visibility => ((looks += 1), visible);
    const waiting = waitFor(request, never, look, 500).finally(() => over.abort());
    while (!over.signal.aborted) {
      await addBook(library, 'a book');
      await addLoan(library, READER);
      written += 2;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const { body } = await waiting;
    expect(body.events).toEqual([]);
    expect((await pageOf(library, { after: body.after })).events.length).toBeLessThan(written);
    // Reads once at the beginning and once at the end of the wait.
    expect(looks).toBe(2);
  });

  it('returns own events, even after more entries than are matched', async () => {
    const own: Visibility = { all: [], own: ['loan.created'], userId: READER };
    const ofOne = waitFor({}, never, () => own);
    await addLoan(library, OTHER, 'another’s');
    await addLoan(library, READER, 'own');
    const first = await ofOne;
    expect(marksOf(first.body)).toEqual(['own']);
    const ofMany = waitFor({ after: first.body.after }, never, () => own);
    await library.books.transaction(async (tx) => {
      for (let n = 0; n < 300; n += 1) await library.books.insert(tx, { mark: 'a book', n: 1 });
      await library.loans.insert(tx, { mark: 'behind many', n: 1, status: 'lent', reader_id: READER });
    });
    const written = performance.now();
    expect(marksOf((await ofMany).body)).toEqual(['behind many']);
    expect(performance.now() - written).toBeLessThan(10_000);
  });

  it('returns for any number of readers, with other work in between', async () => {
    const waits = Array.from({ length: 100 }, () => waitFor({}));
    await addBook(library, 'for all');
    for (const { body } of await Promise.all(waits)) expect(marksOf(body)).toEqual(['for all']);
  });

  it('returns an empty page with the reached position after the time', async () => {
    const waiting = waitFor({ types: ['loan.created'] }, never, () => ALL, 300);
    await addBook(library, 'not asked for');
    const { body } = await waiting;
    expect(body.events).toEqual([]);
    expect(body.after > after).toBe(true);
  });

  it('removes its listeners from the signals', async () => {
    const stop = new AbortController().signal;
    await Promise.all(Array.from({ length: 10 }, () => waitFor({}, stop, () => ALL, 10)));
    expect(getEventListeners(stop, 'abort')).toEqual([]);
    // Checks `size` only, because Node's internal sets are from another realm than this test.
    const kept = Object.getOwnPropertySymbols(stop).map(
      (symbol) => Reflect.get(stop, symbol) as { size?: number } | null,
    );
    expect(kept.filter((each) => (each?.size ?? 0) > 0)).toEqual([]);
  });

  it('returns immediately when the service stops', async () => {
    const stop = new AbortController();
    const begun = performance.now();
    const waiting = waitFor({}, stop.signal);
    stop.abort();
    expect((await waiting).body).toEqual({ events: [], limit: 100, after });
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  it('checks access again before the response', async () => {
    let visible = ALL;
    const waiting = waitFor({}, never, () => visible, 400);
    // After this read, the long poll has found nothing, and waits.
    await pageOf(library);
    visible = { all: KINDS.slice(3), own: [], userId: null };
    await addBook(library, 'no longer seen');
    const { body } = await waiting;
    expect(body.events).toEqual([]);
    let isRevoked = false;
    const refused = waitFor(
      { after: body.after },
      never,
      () => {
        if (isRevoked) throw new Error('revoked');
        return ALL;
      },
      150,
    );
    isRevoked = true;
    await expect(refused).rejects.toThrow('revoked');
  });
});
