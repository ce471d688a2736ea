/*
 * Statements of the second page of `GET /books?sort=title&limit=5`. They read the rows after the last title and id of
 * the first page, and the clocks at the same moment or later. One extra row shows whether a third page follows. If the
 * clocks have changed since the first page, the walk also reads the stored versions. Checked by
 * feed/header-statements.spec.ts.
 *
 * SQLite:
 *   SELECT id, created_at, updated_at, lane, seq, title
 *   FROM books
 *   WHERE (title, id) > ($1, $2)
 *   ORDER BY title ASC, id ASC LIMIT 6;
 *
 *   SELECT (
 *     SELECT group_concat(seq, ',') || ';' || (SELECT value FROM settings WHERE name = 'epoch') || ';'
 *       || min(seq <= walks_until)
 *     FROM collection_lanes WHERE collection = $1
 *   ) AS value;
 *
 * PostgreSQL:
 *   SELECT (
 *     SELECT string_agg(seq::text, ',' ORDER BY lane) || ';' || (SELECT value FROM settings WHERE name = 'epoch')
 *       || ';' || 1
 *     FROM collection_lanes WHERE collection = $1
 *   ) AS value, (
 *     SELECT '[' || json_agg(id)::text || ',' || json_agg(created_at)::text || ',' || json_agg(updated_at)::text
 *       || ',' || json_agg(lane)::text || ',' || json_agg(seq)::text || ',' || json_agg(title)::text || ']'
 *     FROM (
 *       SELECT * FROM (
 *         SELECT * FROM (
 *           SELECT id, created_at, updated_at, lane, seq, title FROM books
 *           WHERE title = $2 AND id > $3 ORDER BY title ASC, id ASC LIMIT 6
 *         ) part
 *         UNION ALL
 *         SELECT * FROM (
 *           SELECT id, created_at, updated_at, lane, seq, title FROM books
 *           WHERE title > $4 ORDER BY title ASC, id ASC LIMIT 6
 *         ) part
 *       ) ranges LIMIT 6
 *     ) page
 *   ) AS page;
 */

import { ExpiredCursorError, type MaybePromise, thenMaybe } from '@items/conventions';
import type { ListFilter } from '@items/paging';
import type { Dialect } from '../schema/dialect.js';
import type { RowValues, ValueReader } from '../database/database.js';
import type { WalkAnnouncer } from './announce-walks.js';
import {
  type Bindings,
  type KeyValue,
  type Parameters,
  type Read,
  type RowsAndValue,
  type Slot,
  type Snapshot,
  type SortPosition,
  Statement,
} from './page-statement.js';
import { versionsOf } from '../definition/collection.js';
import { siftConditions } from './filter-conditions.js';
import { type CachedReads, cachedReads } from './cached-reads.js';
import type { PositionTerms } from './ordering.js';
import { type ListedRows, readWithValue, readThenValue, scanSql } from './row-scan.js';
import { ID } from '../database/versioned-row.js';
import {
  existsSql,
  isSame,
  isSeen,
  canContinueSql,
  latestTime,
  parseSnapshot,
  seenSql,
  snapshotSql,
  expiringAtNextWrite,
  validSql,
} from './snapshot.js';

const LARGEST_READ = 1001;
const READ_SIZES = [6, 21, 51, 101, 201, 501];
/** If a segment has at least this many versions, SQLite reads the page in the background. */
export const MAX_VERSIONS_ON_MAIN_THREAD = 2000;
/** Announcements that a slow walk skips: its long read needs the longer lease of a later one. */
const SLOW_LEASES = 1;

export interface WalkPlan extends ListedRows {
  /** Part of `filter` from the path of a nested collection. */
  readonly parent: ListFilter;
  /**
   * True if an index returns the rows in order. This requires one sort key and, besides the path, at most one filter.
   */
  readonly isIndexed: boolean;
}

export interface WalkStep {
  readonly rows: readonly RowValues[];
  readonly more: boolean;
  readonly snapshot: Snapshot;
}

/** The rows are complete up to `upTo`, or to the end of the list if `upTo` is undefined. */
interface Segment {
  readonly rows: readonly RowValues[];
  readonly upTo: SortPosition | undefined;
}

/**
 * Reads pages of walks over one list. All walks share statements. A walk shows the collection as it was at its first
 * page: unchanged rows, and stored versions of replaced rows. SPEC §4 Cursor rules; README.md.
 */
export class Walk {
  private beginnings: CachedReads<Read<RowsAndValue>> | undefined;
  private currents: CachedReads<Read<RowsAndValue>> | undefined;
  private replacements: CachedReads<Read<RowsAndValue>> | undefined;
  private versionCounts: CachedReads<Statement> | undefined;
  private readonly dialect: Dialect;

  constructor(
    private readonly plan: WalkPlan,
    private readonly announcer: WalkAnnouncer,
  ) {
    this.dialect = plan.ordering.dialect;
  }

  /**
   * Reads the first page. If more pages follow and the snapshot is not announced, announces the walk
   * (announce-walks.ts) and reads again. On SQLite, a slow walk is announced first, because its read is expensive.
   * @param attempts Number of earlier announcements by this call.
   * @returns Undefined if the page must be read in the background.
   */
  begin(reader: ValueReader, limit: number, attempts = 0): MaybePromise<WalkStep | undefined> {
    const { isIndexed, isSlow } = this.plan;
    if (!isIndexed && !isSlow) return undefined;
    if (isSlow && attempts < SLOW_LEASES && this.dialect === 'sqlite') {
      return this.announcer.announce(SLOW_LEASES).then(() => this.begin(reader, limit, SLOW_LEASES));
    }
    return thenMaybe(this.readFirst(reader, limit), ({ rows, value }) => {
      const { isAnnounced, ...snapshot } = parseSnapshot(String(value));
      const first = { rows: rows.slice(0, limit), more: rows.length > limit, snapshot };
      if (isAnnounced || !first.more) return first;
      return this.announcer.announce(attempts).then((isDone) =>
        // Writes between the read and the announcement saved no old versions, so read again.
        isDone ? this.begin(reader, limit, attempts + 1) : { ...first, snapshot: expiringAtNextWrite(first.snapshot) },
      );
    });
  }

  positionOf(row: RowValues): SortPosition {
    return this.plan.ordering.positionOf(row);
  }

  /** Runs one statement, so that no write comes between rows and snapshot. */
  private readFirst(reader: ValueReader, limit: number): MaybePromise<RowsAndValue> {
    const size = readSize(limit);
    const make = (): Read<RowsAndValue> =>
      readWithValue((params) => snapshotSql(this.dialect, this.plan.table, params), { ...this.plan, limit: size });
    return (this.beginnings ??= cachedReads()).memo(String(size), { context: make })(reader, {});
  }

  /**
   * @returns Undefined if the page must be read in the background, such as for many changed rows.
   * @throws {ExpiredCursorError} The versions of the snapshot are no longer stored.
   */
  resume(
    reader: ValueReader,
    after: SortPosition,
    snapshot: Snapshot,
    limit: number,
  ): MaybePromise<WalkStep | undefined> {
    const { isIndexed, isSlow } = this.plan;
    if (!isIndexed && !isSlow) return undefined;
    const rows: RowValues[] = [];
    const readFrom = (from: SortPosition, size: number): MaybePromise<WalkStep | undefined> =>
      thenMaybe(this.segment(reader, from, snapshot, size), (segment) => {
        if (segment === undefined) return undefined;
        rows.push(...segment.rows);
        const { upTo } = segment;
        if (upTo === undefined || rows.length > limit)
          return { rows: rows.slice(0, limit), more: rows.length > limit, snapshot };
        if (size === LARGEST_READ && !isSlow) return undefined;
        return readFrom(upTo, readSize(size));
      });
    return readFrom(after, readSize(limit));
  }

  /**
   * Reads current rows, then old versions only up to the last current row: this limits the cost of many changes. In
   * this order, a row that is replaced between the two reads is found twice, never missed.
   */
  private segment(
    reader: ValueReader,
    after: SortPosition,
    snapshot: Snapshot,
    limit: number,
  ): MaybePromise<Segment | undefined> {
    const end = this.plan.ordering.endAt(latestTime(snapshot));
    const read = (): MaybePromise<Segment | undefined> =>
      thenMaybe(this.current(reader, { after, upTo: end, snapshot }, limit), ({ rows, value: clocks }) => {
        const current = { rows, upTo: this.lastPosition(rows, limit) };
        if (isSame(String(clocks), snapshot)) return current;
        const bindings = { after, upTo: current.upTo ?? end, snapshot };
        return thenMaybe(
          this.replaced(reader, bindings, limit),
          (replaced) => replaced && this.joined(current, replaced, snapshot, limit),
        );
      });
    return reader.readTransaction(read);
  }

  private joined(current: Segment, replaced: readonly RowValues[], snapshot: Snapshot, limit: number): Segment {
    const { ordering } = this.plan;
    const upTo = this.earlier(current.upTo, this.lastPosition(replaced, limit));
    const seen = current.rows.filter((row) => isSeen(row, snapshot));
    if (replaced.length === 0) return { rows: seen, upTo };
    const byId = new Map([...seen, ...replaced].map((row) => [row[ID], row]));
    const rows = ordering.sorted([...byId.values()]);
    if (upTo === undefined) return { rows, upTo };
    // After `upTo`, current rows or versions may be missing, so the next read begins there.
    return { rows: rows.filter((row) => ordering.compare(ordering.positionOf(row), upTo) <= 0), upTo };
  }

  private current(reader: ValueReader, bindings: SegmentBindings, limit: number): MaybePromise<RowsAndValue> {
    const { dialect, plan } = this;
    const make = (): Read<RowsAndValue> => {
      const only = plan.isSlow ? (params: Parameters) => [seenSql(dialect, params)] : undefined;
      const scan = { ...plan, ...this.termsOf(bindings), only, limit };
      return readThenValue((params) => snapshotSql(dialect, plan.table, params), scan);
    };
    return (this.currents ??= cachedReads()).memo(this.cacheKeyOf(bindings, limit), { context: make })(
      reader,
      bindings,
    );
  }

  /**
   * Reads the valid versions, then checks that all versions of the snapshot are still stored. Without the check, even
   * an empty result could be wrong. The check comes last, so that it notices versions deleted during the read.
   * @returns Undefined if there are too many versions for the main thread.
   */
  private replaced(
    reader: ValueReader,
    bindings: SegmentBindings,
    limit: number,
  ): MaybePromise<readonly RowValues[] | undefined> {
    return thenMaybe(this.areFewReplaced(reader, bindings), (areFew) =>
      areFew ? this.readReplaced(reader, bindings, limit) : undefined,
    );
  }

  /**
   * Whether the main thread may read the versions of the segment. Always true on PostgreSQL and for slow walks: their
   * reads do not block the main thread.
   */
  private areFewReplaced(reader: ValueReader, bindings: SegmentBindings): MaybePromise<boolean> {
    const { dialect, plan } = this;
    if (plan.isSlow || dialect !== 'sqlite') return true;
    const limit = MAX_VERSIONS_ON_MAIN_THREAD;
    const make = (): Statement => {
      const versions = { table: versionsOf(plan.table), columns: plan.ordering.columns, filter: plan.parent };
      const scan = { ...plan, ...versions, ...this.termsOf(bindings), limit };
      return new Statement((params) => `SELECT count(*) FROM (${scanSql(scan, params)}) sifted`);
    };
    const counting = (this.versionCounts ??= cachedReads()).memo(this.cacheKeyOf(bindings, limit), { context: make });
    return thenMaybe(counting.readValue(reader, bindings), (count) => Number(count) < limit);
  }

  private readReplaced(
    reader: ValueReader,
    bindings: SegmentBindings,
    limit: number,
  ): MaybePromise<readonly RowValues[]> {
    const { dialect, plan } = this;
    const make = (): Read<RowsAndValue> => {
      const table = versionsOf(plan.table);
      const only = (params: Parameters): string[] => [
        ...siftConditions(plan.filter, params),
        validSql(dialect, params),
        existsSql(plan.table, table),
      ];
      const scan = { ...plan, ...this.termsOf(bindings), table, filter: plan.parent, only, limit };
      return readThenValue((params) => canContinueSql(dialect, plan.table, params), scan);
    };
    const read = (this.replacements ??= cachedReads()).memo(this.cacheKeyOf(bindings, limit), { context: make });
    return thenMaybe(read(reader, bindings), ({ rows, value }) => {
      if (!value) throw new ExpiredCursorError();
      return rows;
    });
  }

  /** Cache key: the limit, sort keys that are null or fixed by a filter, and how many keys `after` and `upTo` share. */
  private cacheKeyOf({ after, upTo }: SegmentBindings, limit: number): string {
    const cacheKey = `${String(limit)} ${this.cacheKeyOfPosition(after, 0)}`;
    if (upTo === undefined) return cacheKey;
    const common = this.plan.ordering.commonKeys(after, upTo);
    return `${cacheKey}to ${String(common)} ${this.cacheKeyOfPosition(upTo, common)}`;
  }

  private cacheKeyOfPosition({ key }: SortPosition, from: number): string {
    let cacheKey = '';
    for (let at = from; at < this.plan.ordering.fields.length; at += 1) {
      cacheKey += this.isConstant(key, at) ? `${JSON.stringify(key[at] ?? null)} ` : '? ';
    }
    return cacheKey;
  }

  private termsOf({ after, upTo }: SegmentBindings): { after: PositionTerms; upTo: PositionTerms | undefined } {
    const { ordering } = this.plan;
    const key = ordering.fields.map((_, at) => this.termOf('after', after, at));
    const terms = { key, id: AFTER_ID };
    if (upTo === undefined) return { after: terms, upTo };
    const common = ordering.commonKeys(after, upTo);
    const end = key.map((shared, at) => (at < common ? shared : this.termOf('upTo', upTo, at)));
    return { after: terms, upTo: { key: end, id: UP_TO_ID } };
  }

  private termOf(which: 'after' | 'upTo', { key }: SortPosition, at: number): KeyValue | Slot {
    return this.isConstant(key, at) ? (key[at] ?? null) : (bindings) => bindings[which]?.key[at] ?? null;
  }

  private isConstant(key: readonly KeyValue[], at: number): boolean {
    return (key[at] ?? null) === null || (this.plan.ordering.fields[at] ?? '') in this.plan.filter;
  }

  /** Undefined if the read reached the end of the list. */
  private lastPosition(rows: readonly RowValues[], limit: number): SortPosition | undefined {
    const last = rows.at(limit - 1);
    return last && this.plan.ordering.positionOf(last);
  }

  private earlier(a: SortPosition | undefined, b: SortPosition | undefined): SortPosition | undefined {
    if (a === undefined || b === undefined) return a ?? b;
    return this.plan.ordering.compare(a, b) < 0 ? a : b;
  }
}

interface SegmentBindings extends Bindings {
  readonly after: SortPosition;
}

const AFTER_ID: Slot = ({ after }) => after?.id ?? '';
const UP_TO_ID: Slot = ({ upTo }) => upTo?.id ?? '';

/** Returns one of few sizes, because each needs its own statement. */
function readSize(above: number): number {
  for (const size of READ_SIZES) if (size > above) return size;
  return LARGEST_READ;
}
