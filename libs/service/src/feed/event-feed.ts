import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { PageText } from '../data/lists/list-page.js';
import { type CursorPage, ExpiredCursorError, InvalidCursorError, ResourceNotFoundError } from '@items/conventions';
import { cursorLinks, decodeCursor, encodeCursor, type PageLinks, type Seal } from '@items/paging';
import type { Database } from '../data/database/database.js';
import { Parameters } from '../data/lists/page-statement.js';

import { isEventId, lastIdAt } from './event-id.js';
import { isAfter, isRowOf, isUpTo } from './event-key.js';
import type { EventFilter, Range } from './event-ranges.js';
import type { FeedClock, FeedState } from './feed-clock.js';
import type { FeedTable } from './feed-table.js';
import { readNear, readStretch, within, type SlowReader, type Stretch } from './read-stretch.js';
import type { Visibility } from './visibility.js';

/** What happened to a resource, as readers see it. */
export interface FeedEvent {
  /** UUIDv7; its order is that of the feed. */
  readonly id: string;
  readonly type: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** In whose form `data` is. */
  readonly api_version: string;
  readonly data: { readonly object: object; readonly previous?: object };
}

/** A page of the feed that is requested. */
export interface EventsRequest extends EventFilter, SlowReader {
  /** 1–100. */
  readonly limit: number;
  readonly descending: boolean;
  /** The place, or the event, behind which it begins. */
  readonly after?: string;
  /** Of the page before. */
  readonly cursor?: string;
}

/** A page of a feed, and where it leads. */
export interface FeedPage<Name extends string, Member> {
  /** Parsed anew each time that it is read. */
  readonly body: CursorPage<Name, Member> & { readonly after: string };
  /** The same as it is sent. */
  readonly json: string;
  /** The place that it reached. */
  readonly after: string;
  readonly links: PageLinks;
  readonly isEmpty: boolean;
}

export type EventsPage = FeedPage<'events', FeedEvent>;

/** What a feed is read from, and how its rows are shown. */
export interface FeedSource<Name extends string, Member extends { readonly id: string }> {
  readonly table: FeedTable<Name>;
  /** The parts of it that a reader requests and may see. */
  readonly ranges: (filter: EventFilter, visible: Visibility) => readonly Range[];
  readonly present: (row: never) => Member;
  /** JSON of the same. */
  readonly toJson: (row: never) => string;
}

/** Events behind a place, as the service itself reads them. */
export interface FeedStretch<Member = FeedEvent> {
  /** Oldest first. */
  readonly events: readonly Member[];
  /** The position that they reach, up to which there are no others. */
  readonly end: string;
  /** Whether others may follow before the feed's end. */
  readonly more: boolean;
}

/** How long events are kept, and what authenticates the cursors of walks. */
export interface FeedPolicy {
  readonly keptMs: number;
  readonly seals: readonly Seal[];
  readonly cursorTtlMs: number;
}

/** From where to where a walk goes. */
interface WalkBounds {
  readonly after: string;
  readonly end: string;
}

/** A row of a feed's table. */
interface KeptRow {
  readonly id: string;
}

/** Below the ids of all events. */
const BEFORE_ALL = '00000000-0000-7000-8000-000000000000';
const ABSENT = 'no place';
/** Events read at once for a page: one of an order with long lines is 130 kB. */
const ROWS_AT_ONCE = 32;

/** Serves a feed. What it has served stays as it is: nothing ever appears before a place that was served. */
export class EventFeed<Name extends string = 'events', Member extends { readonly id: string } = FeedEvent> {
  constructor(
    private readonly database: Database,
    private readonly clock: FeedClock,
    private readonly policy: FeedPolicy,
    private readonly source: FeedSource<Name, Member>,
  ) {}

  /**
   * One event, if it is kept and may be seen.
   * @throws {ResourceNotFoundError} 404
   */
  async get(id: string, visible: Visibility): Promise<Member> {
    const { end } = await this.clock.read();
    if (isEventId(id) && id <= end && id > this.oldest()) {
      const stretch = { after: BEFORE_ALL, upTo: end, descending: false, limit: 1 };
      const [row] = await this.rows(stretch, { id }, visible);
      if (row !== undefined) return this.source.present(row as never);
    }
    throw new ResourceNotFoundError(this.source.table.singular);
  }

  /**
   * @param from the place where it begins, if that is a later one than the request's.
   * @throws {ExpiredCursorError} 400: what followed the place is no longer kept, or this database does not know the place.
   * @throws {InvalidCursorError} 400: the cursor was not issued for this list.
   * @throws {ServiceUnavailableError} 503 `too_slow`: no index has what is requested, and it takes too long. SPEC §4.1
   */
  async page(request: EventsRequest, visible: Visibility, from = request.after): Promise<FeedPage<Name, Member>> {
    // Where the feed ends is read first: all that lies before it is there when it is read.
    const state = await this.clock.read();
    const position = request.cursor === undefined ? undefined : this.decode(request.cursor, request);
    const bounds = position?.bounds ?? (await this.firstBounds(from, state));
    const { limit, descending } = request;
    const text = new PageText<KeptRow>(this.source.table.name, this.source.toJson as (row: KeptRow) => string);
    let last = position?.last;
    let more = true;
    while (more && !text.isFull && text.rows.length < limit) {
      const stretch = await this.stretchOf(request, bounds, last, state);
      const size = Math.min(limit - text.rows.length, ROWS_AT_ONCE);
      const rows = await this.rows({ ...stretch, descending, limit: size + 1 }, request, visible);
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
   * What follows a place, which need not be one that this feed has served: what is no longer kept is passed over. Where
   * most events are not for the reader, fewer than there are, and how far these reach.
   * @param types kinds; all that the reader may see where it is left out. @param limit most events.
   */
  async stretch(
    after: string,
    types: readonly string[] | undefined,
    visible: Visibility,
    limit: number,
  ): Promise<FeedStretch<Member>> {
    const { end } = await this.clock.read();
    const from = later(after, this.oldest());
    const filter = types === undefined ? {} : { types };
    const { table, ranges, present } = this.source;
    const stretch = { after: from, upTo: end, descending: false, limit };
    const { rows, lookedTo } = await readNear<never>(this.database, {
      table,
      stretch,
      ranges: ranges(filter, visible),
    });
    const events = rows.map(present);
    // The caller reads on at once: others come between.
    if (lookedTo !== undefined) await nextTurn();
    const reached = events.length < limit ? lookedTo : events.at(-1)?.id;
    return { events, end: reached ?? later(after, end), more: reached !== undefined };
  }

  /** @throws {ExpiredCursorError} 400: not all that followed the place is kept, or this database does not know it. */
  async requireKept(place: string): Promise<void> {
    const { gap } = await this.clock.read();
    await this.requirePlace(place, gap, this.oldest());
  }

  private async firstBounds(after: string | undefined, { end, gap }: FeedState): Promise<WalkBounds> {
    const oldest = this.oldest();
    if (after === undefined) return { after: later(gap ?? oldest, oldest), end };
    await this.requirePlace(after, gap, oldest);
    return { after, end: later(after, end) };
  }

  private async stretchOf(
    { descending }: EventsRequest,
    { after, end }: WalkBounds,
    last: string | undefined,
    { gap }: FeedState,
  ): Promise<Pick<Stretch, 'after' | 'upTo' | 'before'>> {
    if (last === undefined) return { after, upTo: end };
    const oldest = this.oldest();
    // Newest first, what has become too old meanwhile is left out at the end, as what was deleted is.
    await this.requirePlace(last, gap, descending ? BEFORE_ALL : oldest);
    return descending ? { after: later(after, oldest), upTo: end, before: last } : { after: last, upTo: end };
  }

  /**
   * A place is the last event before it, or the mark of a gap. So one that another history has led to is not known.
   * @param oldest up to which events are too old to be told.
   */
  private async requirePlace(place: string, gap: string | null, oldest: string): Promise<void> {
    const { dialect } = this.database;
    const { name } = this.source.table;
    const params = new Parameters();
    const known = isRowOf(dialect, place, params);
    const older = `${isAfter(dialect, place, params)} AND ${isUpTo(dialect, oldest, '<=', params)}`;
    const [found] = await this.database.query<{ known: number; lost: number }>(
      `SELECT (SELECT count(*) FROM ${name} WHERE ${known}) AS known,
         (SELECT count(*) FROM (SELECT 1 FROM ${name} WHERE ${older} LIMIT 1) older) AS lost`,
      params.values,
    );
    if ((gap !== null && place < gap) || Number(found?.known) === 0 || Number(found?.lost) > 0) throw expiredPlace();
  }

  private rows(stretch: Stretch, filter: EventFilter & SlowReader, visible: Visibility): Promise<readonly KeptRow[]> {
    const { table, ranges } = this.source;
    const of = { table, stretch: within(stretch, filter.range), ranges: ranges(filter, visible) };
    return readStretch<KeptRow>(this.database, of, filter);
  }

  /** What is not above it is too old. */
  private oldest(): string {
    return lastIdAt(Date.now() - this.policy.keptMs);
  }

  private encode(request: EventsRequest, { after, end }: WalkBounds, last: string): string {
    const [seal] = this.policy.seals;
    if (seal === undefined) throw new Error('There is no secret for cursors.');
    const key = [after, end, request.after ?? ABSENT];
    const fingerprint = fingerprintOf(this.source.table.path, request);
    return encodeCursor({ fingerprint, issuedAtMs: Date.now(), snapshot: [0], epoch: '', key, id: last }, seal);
  }

  private decode(cursor: string, request: EventsRequest): { readonly bounds: WalkBounds; readonly last: string } {
    const {
      issuedAtMs,
      key,
      id: last,
    } = decodeCursor(cursor, fingerprintOf(this.source.table.path, request), this.policy.seals);
    if (Date.now() - issuedAtMs > this.policy.cursorTtlMs) throw new ExpiredCursorError();
    const [after, end, begunAfter] = key.map(String);
    if (after === undefined || end === undefined) throw new InvalidCursorError();
    if (request.after !== undefined && request.after !== begunAfter) throw new InvalidCursorError();
    return { bounds: { after, end }, last };
  }
}

/** Binds a cursor to what it was made for. */
function fingerprintOf(path: string, { descending, types, objectId, actorId, range }: EventsRequest): string {
  const bound = [
    path,
    descending,
    types,
    objectId,
    ...(actorId === undefined ? [] : [actorId]),
    ...(range ? [range] : []),
  ];
  return hash('sha256', JSON.stringify(bound), 'base64url').slice(0, 11);
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}

function expiredPlace(): ExpiredCursorError {
  return new ExpiredCursorError(
    'What followed this place is no longer kept, or this database has never reached it: read the resources anew, then begin without "after".',
  );
}
