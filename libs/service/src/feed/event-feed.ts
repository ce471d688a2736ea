import { hash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import { type CursorPolicy, Cursors } from '../data/lists/cursors.js';
import { PageText } from '../data/lists/list-page.js';
import { type CursorPage, ExpiredCursorError, InvalidCursorError, ResourceNotFoundError } from '@items/conventions';
import { cursorLinks, type PageLinks } from '@items/paging';
import type { Database } from '../data/database/database.js';
import { Parameters } from '../data/lists/page-statement.js';

import { isEventId, lastIdAt } from './event-id.js';
import { isAfter, isRowOf, isUpTo } from './event-key.js';
import type { EventFilter, FeedRange } from './event-ranges.js';
import { FeedClock, type FeedState } from './feed-clock.js';
import type { FeedEntry } from './feed-entries.js';
import type { FeedTable } from './feed-table.js';
import { readLimited, readSegment, limitToTimes, type SlowReader, type Segment } from './read-segment.js';
import type { Visibility } from './visibility.js';

export interface FeedEvent {
  /** Ids are UUIDv7 in the order of the feed. */
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  /** API version that defines the form of `data`. */
  readonly api_version: string;
  readonly data: { readonly object: object; readonly previous?: object };
}

export interface EventsRequest extends EventFilter, SlowReader {
  readonly limit: number;
  readonly descending: boolean;
  /** Exclusive start: the `after` of a page, or the id of an event. */
  readonly after?: string;
  readonly cursor?: string;
}

export interface FeedPage<Name extends string, Member> {
  /** Parsed from `json` on each access. */
  readonly body: CursorPage<Name, Member> & { readonly after: string };
  readonly json: string;
  readonly after: string;
  readonly links: PageLinks;
  readonly isEmpty: boolean;
}

export type EventsPage = FeedPage<'events', FeedEvent>;

export interface FeedSource<Name extends string, Member extends { readonly id: string }> {
  readonly table: FeedTable<Name>;
  readonly ranges: (filter: EventFilter, visible: Visibility) => readonly FeedRange[];
  /** Returns whether a reader requested an entry and may see it. */
  readonly concerns: (filter: EventFilter, visible: Visibility) => (entry: FeedEntry) => boolean;
  readonly present: (row: never) => Member;
  readonly toJson: (row: never) => string;
}

export interface FeedSegment<Member = FeedEvent> {
  readonly events: readonly Member[];
  readonly end: string;
  readonly more: boolean;
}

interface WalkBounds {
  readonly after: string;
  readonly end: string;
}

interface FeedRow {
  readonly id: string;
}

const BEFORE_ALL = '00000000-0000-7000-8000-000000000000';
/** Text for a missing `after` in cursors. */
const ABSENT = 'no place';
/** An event of a large order has 130 kB, so few events are read together. */
const READ_BATCH = 32;

/** Reads a feed in pages. No event ever appears before a position that was served. */
export class EventFeed<Name extends string = 'events', Member extends { readonly id: string } = FeedEvent> {
  readonly clock: FeedClock;
  private readonly cursors: Cursors;

  constructor(
    protected readonly database: Database,
    protected readonly source: FeedSource<Name, Member>,
    policy: CursorPolicy,
    private readonly keptMs: number,
  ) {
    this.clock = new FeedClock(database, source.table);
    this.cursors = new Cursors(policy);
  }

  /** @throws {ResourceNotFoundError} 404: the event is unknown, expired or not visible. */
  async get(id: string, visible: Visibility): Promise<Member> {
    const { end } = await this.clock.read();
    if (isEventId(id) && id <= end && id > this.oldest()) {
      const segment = { after: BEFORE_ALL, upTo: end, descending: false, limit: 1 };
      const [row] = await this.rows(segment, { id }, visible);
      if (row !== undefined) return this.source.present(row as never);
    }
    throw new ResourceNotFoundError(this.source.table.singular);
  }

  /**
   * @param from Replaces `request.after` if a long poll has already read further.
   * @throws {ExpiredCursorError} 400: events after the position are missing, or this database does not know the
   *   position.
   * @throws {InvalidCursorError} 400: the cursor was made for another list.
   * @throws {ServiceUnavailableError} 503 `too_slow`: an unindexed read timed out. SPEC §4.1
   */
  async page(request: EventsRequest, visible: Visibility, from = request.after): Promise<FeedPage<Name, Member>> {
    // The end of the feed is read first: all events before it are committed when the rows are read.
    const state = await this.clock.read();
    const resumed = request.cursor === undefined ? undefined : this.decode(request.cursor, request);
    const bounds = resumed?.bounds ?? (await this.firstBounds(from, state));
    const { limit, descending } = request;
    const text = new PageText<FeedRow>(this.source.table.name, this.source.toJson as (row: FeedRow) => string);
    let last = resumed?.last;
    let more = true;
    while (more && !text.isFull && text.rows.length < limit) {
      const segment = await this.segmentOf(request, bounds, last, state);
      const size = Math.min(limit - text.rows.length, READ_BATCH);
      const rows = await this.rows({ ...segment, descending, limit: size + 1 }, request, visible);
      text.add(rows.slice(0, size));
      more = rows.length > size || text.isFull;
      last = text.rows.at(-1)?.id;
    }
    const end = more ? last : undefined;
    const nextCursor = end && this.encode(request, bounds, end);
    const after = descending ? bounds.end : (end ?? bounds.end);
    const json = text.json({ limit, ...(nextCursor !== undefined && { next_cursor: nextCursor }), after });
    return {
      get body() {
        return JSON.parse(json) as FeedPage<Name, Member>['body'];
      },
      isEmpty: text.rows.length === 0,
      json,
      after,
      links: cursorLinks({ limit, nextCursor }),
    };
  }

  /**
   * Reads events after any position, even a position that this feed never served. Returns fewer than `limit` events if
   * most are invisible. The result's `end` is the position up to which rows were read.
   */
  async segment(
    after: string,
    types: readonly string[] | undefined,
    visible: Visibility,
    limit: number,
  ): Promise<FeedSegment<Member>> {
    const { end } = await this.clock.read();
    const from = later(after, this.oldest());
    const filter = types === undefined ? {} : { types };
    const { table, ranges, present } = this.source;
    const segment = { after: from, upTo: end, descending: false, limit };
    const { rows, examinedTo } = await readLimited<never>(this.database, {
      table,
      segment,
      ranges: ranges(filter, visible),
    });
    const events = rows.map(present);
    // The caller reads on immediately, so let other work run first.
    if (examinedTo !== undefined) await yieldToEventLoop();
    const reached = events.length < limit ? examinedTo : events.at(-1)?.id;
    return { events, end: reached ?? later(after, end), more: reached !== undefined };
  }

  /** @throws {ExpiredCursorError} 400, like {@link page}. */
  async requireKept(position: string): Promise<void> {
    const { gap } = await this.clock.read();
    await this.requirePosition(position, gap, this.oldest());
  }

  private async firstBounds(after: string | undefined, { end, gap }: FeedState): Promise<WalkBounds> {
    const oldest = this.oldest();
    if (after === undefined) return { after: later(gap ?? oldest, oldest), end };
    await this.requirePosition(after, gap, oldest);
    return { after, end: later(after, end) };
  }

  private async segmentOf(
    { descending }: EventsRequest,
    { after, end }: WalkBounds,
    last: string | undefined,
    { gap }: FeedState,
  ): Promise<Pick<Segment, 'after' | 'upTo' | 'before'>> {
    if (last === undefined) return { after, upTo: end };
    const oldest = this.oldest();
    // If events expired meanwhile, a descending list omits them, and an ascending list is refused.
    await this.requirePosition(last, gap, descending ? BEFORE_ALL : oldest);
    return descending ? { after: later(after, oldest), upTo: end, before: last } : { after: last, upTo: end };
  }

  /**
   * Requires the id of a stored event or gap, with no gap or expired event after it. Refuses positions from a lost
   * history of the database.
   * @param oldest Events up to this id have expired.
   */
  private async requirePosition(position: string, gap: string | null, oldest: string): Promise<void> {
    const { dialect } = this.database;
    const { name } = this.source.table;
    const params = new Parameters();
    const known = isRowOf(dialect, position, params);
    const older = `${isAfter(dialect, position, params)} AND ${isUpTo(dialect, oldest, '<=', params)}`;
    const [found] = await this.database.query<{ known: number; lost: number }>(
      `SELECT (SELECT count(*) FROM ${name} WHERE ${known}) AS known,
         (SELECT count(*) FROM (SELECT 1 FROM ${name} WHERE ${older} LIMIT 1) older) AS lost`,
      params.values,
    );
    if ((gap !== null && position < gap) || Number(found?.known) === 0 || Number(found?.lost) > 0)
      throw expiredPosition();
  }

  private rows(segment: Segment, filter: EventFilter & SlowReader, visible: Visibility): Promise<readonly FeedRow[]> {
    const { table, ranges } = this.source;
    const of = { table, segment: limitToTimes(segment, filter.range), ranges: ranges(filter, visible) };
    return readSegment<FeedRow>(this.database, of, filter);
  }

  private oldest(): string {
    return lastIdAt(Date.now() - this.keptMs);
  }

  private encode(request: EventsRequest, { after, end }: WalkBounds, last: string): string {
    const key = [after, end, request.after ?? ABSENT];
    const fingerprint = fingerprintOf(this.source.table.path, request);
    return this.cursors.make({ fingerprint, issuedAtMs: Date.now(), snapshot: [0], epoch: '', key, id: last });
  }

  private decode(cursor: string, request: EventsRequest): { readonly bounds: WalkBounds; readonly last: string } {
    const { key, id: last } = this.cursors.read(cursor, fingerprintOf(this.source.table.path, request));
    const [after, end, begunAfter] = key.map(String);
    if (after === undefined || end === undefined) throw new InvalidCursorError();
    if (request.after !== undefined && request.after !== begunAfter) throw new InvalidCursorError();
    return { bounds: { after, end }, last };
  }
}

function fingerprintOf(path: string, { descending, types, objectId, actorId, range }: EventsRequest): string {
  const more = [actorId, range].filter((bound) => bound !== undefined);
  return hash('sha256', JSON.stringify([path, descending, types, objectId, ...more]), 'base64url').slice(0, 11);
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}

function expiredPosition(): ExpiredCursorError {
  return new ExpiredCursorError(
    'Events after this position are no longer stored, or this database has never reached it. Read the resources again, then begin without "after".',
  );
}
