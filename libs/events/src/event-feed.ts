import { hash } from 'node:crypto';

import { formatTime } from '@items/collections';
import { Parameters } from '@items/collections/parts';
import type { CursorPage } from '@items/conventions';
import { ExpiredCursorError, InvalidCursorError, ResourceNotFoundError } from '@items/errors';
import { cursorLinks, decodeCursor, encodeCursor, type PageLinks, type Seal } from '@items/paging';
import type { Database } from '@items/store';

import { isEventId, lastIdAt, timeOf } from './event-id.js';
import { keyColumn, keyOf } from './event-key.js';
import { rangesOf, stretchSql, type EventFilter, type EventRow, type Stretch } from './event-ranges.js';
import type { FeedClock, FeedState } from './feed-clock.js';
import type { Visibility } from './visibility.js';

/** What happened to a resource, as readers are told. */
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

/** What a page of the feed is asked for. */
export interface EventsRequest extends EventFilter {
  /** 1–100. */
  readonly limit: number;
  readonly descending: boolean;
  /** The place, or the event, behind which it begins. */
  readonly after?: string;
  /** Of the page before. */
  readonly cursor?: string;
}

/** A page of the feed, and where it leads. */
export interface EventsPage {
  readonly body: CursorPage<'events', FeedEvent> & {
    /** The place that it reached. */
    readonly after: string;
  };
  readonly links: PageLinks;
}

/** Events behind a place, as the service itself reads them. */
export interface FeedStretch {
  /** Oldest first. */
  readonly events: readonly FeedEvent[];
  /** The place that they reach: of the last of them, or the feed's end where there are no more. */
  readonly end: string;
}

/** How long events are kept, and what authenticates the cursors of walks. */
export interface FeedPolicy {
  readonly keptMs: number;
  readonly seals: readonly Seal[];
  readonly cursorTtlMs: number;
  /** An event as it was kept → as it is shown. */
  readonly present: (event: FeedEvent) => FeedEvent;
}

/** From where to where a walk goes. */
interface WalkBounds {
  readonly after: string;
  readonly end: string;
}

/** Below the ids of all events. */
const BEFORE_ALL = '00000000-0000-7000-8000-000000000000';
const ABSENT = 'no place';

/** Serves the feed. What it has served stays as it is: nothing ever appears before a place that was served. */
export class EventFeed {
  constructor(
    private readonly database: Database,
    private readonly clock: FeedClock,
    private readonly policy: FeedPolicy,
    /** All kinds of events that there are. */
    private readonly kinds: () => readonly string[],
  ) {}

  /**
   * One event, if it is kept and may be seen.
   * @throws {ResourceNotFoundError} 404
   */
  async get(id: string, visible: Visibility): Promise<FeedEvent> {
    const { end } = await this.clock.read();
    if (isEventId(id) && id <= end && id > this.oldest()) {
      const stretch = { after: BEFORE_ALL, upTo: end, descending: false, limit: 1 };
      const [row] = await this.rows(stretch, { id }, visible);
      if (row !== undefined) return this.policy.present(kept(row));
    }
    throw new ResourceNotFoundError('event');
  }

  /**
   * @param from the place where it begins, if that is a later one than the request's.
   * @throws {ExpiredCursorError} 400: what followed the place is no longer kept, or this database does not know the place.
   * @throws {InvalidCursorError} 400: the cursor was not issued for this list.
   */
  async page(request: EventsRequest, visible: Visibility, from = request.after): Promise<EventsPage> {
    // Where the feed ends is read first: all that lies before it is there when it is read.
    const state = await this.clock.read();
    const position = request.cursor === undefined ? undefined : this.decode(request.cursor, request);
    const bounds = position?.bounds ?? (await this.firstBounds(from, state));
    const stretch = await this.stretchOf(request, bounds, position?.last, state);
    const { limit, descending } = request;
    const rows = await this.rows({ ...stretch, descending, limit: limit + 1 }, request, visible);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1)?.id : undefined;
    const nextCursor = last && this.encode(request, bounds, last);
    return {
      body: {
        events: shown.map((row) => this.policy.present(kept(row))),
        limit,
        ...(nextCursor !== undefined && { next_cursor: nextCursor }),
        after: descending ? bounds.end : (last ?? bounds.end),
      },
      links: cursorLinks({ limit, nextCursor }),
    };
  }

  /**
   * What follows a place, which need not be one that this feed has served: what is no longer kept is passed over.
   * @param types kinds; all that the reader may see where it is left out. @param limit most events.
   */
  async stretch(
    after: string,
    types: readonly string[] | undefined,
    visible: Visibility,
    limit: number,
  ): Promise<FeedStretch> {
    const { end } = await this.clock.read();
    const from = later(after, this.oldest());
    const filter = types === undefined ? {} : { types };
    const rows = await this.rows({ after: from, upTo: end, descending: false, limit }, filter, visible);
    const events = rows.map((row) => this.policy.present(kept(row)));
    return { events, end: rows.length < limit ? later(after, end) : String(rows.at(-1)?.id) };
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
    const key = keyColumn(dialect);
    const [found] = await this.database.query<{ known: number; lost: number }>(
      `SELECT (SELECT count(*) FROM events WHERE ${key} = $1 AND id = $3) AS known,
         (SELECT count(*) FROM (SELECT 1 FROM events WHERE ${key} > $1 AND ${key} <= $2 LIMIT 1) older) AS lost`,
      [keyOf(dialect, place), keyOf(dialect, oldest), place],
    );
    if ((gap !== null && place < gap) || Number(found?.known) === 0 || Number(found?.lost) > 0) throw expiredPlace();
  }

  private rows(stretch: Stretch, filter: EventFilter, visible: Visibility): Promise<EventRow[]> {
    const params = new Parameters();
    const sql = stretchSql(this.database, stretch, rangesOf(this.database, this.kinds(), filter, visible), params);
    return sql === undefined ? Promise.resolve([]) : this.database.query<EventRow>(sql, params.values);
  }

  /** What is not above it is too old. */
  private oldest(): string {
    return lastIdAt(Date.now() - this.policy.keptMs);
  }

  private encode(request: EventsRequest, { after, end }: WalkBounds, last: string): string {
    const [seal] = this.policy.seals;
    if (seal === undefined) throw new Error('There is no secret for cursors.');
    const key = [after, end, request.after ?? ABSENT];
    return encodeCursor(
      { fingerprint: fingerprintOf(request), issuedAtMs: Date.now(), snapshot: [0], epoch: '', key, id: last },
      seal,
    );
  }

  private decode(cursor: string, request: EventsRequest): { readonly bounds: WalkBounds; readonly last: string } {
    const { issuedAtMs, key, id: last } = decodeCursor(cursor, fingerprintOf(request), this.policy.seals);
    if (Date.now() - issuedAtMs > this.policy.cursorTtlMs) throw new ExpiredCursorError();
    const [after, end, begunAfter] = key.map(String);
    if (after === undefined || end === undefined) throw new InvalidCursorError();
    if (request.after !== undefined && request.after !== begunAfter) throw new InvalidCursorError();
    return { bounds: { after, end }, last };
  }
}

function kept({ id, type, api_version: version, data }: EventRow): FeedEvent {
  return {
    id,
    type,
    timestamp: formatTime(timeOf(id)),
    api_version: version,
    data: JSON.parse(data) as FeedEvent['data'],
  };
}

/** Binds a cursor to what it was made for. */
function fingerprintOf({ descending, types, objectId }: EventsRequest): string {
  return hash('sha256', JSON.stringify(['/events', descending, types, objectId]), 'base64url').slice(0, 11);
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}

function expiredPlace(): ExpiredCursorError {
  return new ExpiredCursorError(
    'What followed this place is no longer kept, or this database has never reached it: read the resources anew, then begin without "after".',
  );
}
