/*
 * The second page of `GET /books?sort=title&limit=5`: the rows after the last title and id, and the clocks at the same
 * moment or later. One extra row shows whether a third page follows. If the clocks have changed since the first page,
 * the walk also reads the stored versions. Checked by feed/header-statements.spec.ts.
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
import type { Bindings, KeyValue, SortPosition, Snapshot } from '../definition/bindings.js';
import { versionsOf } from '../definition/collection.js';
import { siftConditions } from './filter-conditions.js';
import { type CachedReads, cachedReads } from './cached-reads.js';
import type { Ordering, PositionTerms } from './ordering.js';
import { type Parameters, type Slot, Statement, type RowsBeside } from './page-statement.js';
import { type Read, readBeside, readThen, scanSql } from './row-scan.js';
import { ID } from '../definition/row-values.js';
import {
  existsSql,
  isSame,
  isSeen,
  keptSql,
  latestTime,
  parseSnapshot,
  seenSql,
  snapshotSql,
  expiringAtNextWrite,
  validSql,
} from './snapshot.js';

const LARGEST_READ = 1001;
const READ_SIZES = [6, 21, 51, 101, 201, 501];
/** Row versions that a page may examine on the main thread. */
export const MAX_VERSIONS_SIFTED = 2000;
/** A slow walk is announced for longer, because the read takes time. */
const SLOW_LEASES = 1;

export interface WalkPlan {
  readonly collection: string;
  readonly columns: readonly string[];
  readonly filter: ListFilter;
  /** The part that the path of a nested collection fixes. */
  readonly parent: ListFilter;
  readonly ordering: Ordering;
  /** Whether an index has the rows in order: one sort key and at most one filter. */
  readonly isServed: boolean;
  readonly isSlow: boolean;
}

export interface WalkStep {
  readonly rows: readonly RowValues[];
  readonly more: boolean;
  readonly snapshot: Snapshot;
}

/** The rows are complete up to the position, or to the end if it is undefined. */
interface Segment {
  readonly rows: readonly RowValues[];
  readonly upTo: SortPosition | undefined;
}

/**
 * Pages over a collection as it was at the start of the walk: rows unchanged since then, and stored versions of
 * replaced rows. Walks of a list share prepared statements. SPEC §4 Cursor rules; README.md of this folder.
 */
export class Walk {
  private beginnings: CachedReads<Read<RowsBeside>> | undefined;
  private currents: CachedReads<Read<RowsBeside>> | undefined;
  private replacements: CachedReads<Read<RowsBeside>> | undefined;
  private siftings: CachedReads<Statement> | undefined;
  private readonly slots: { readonly after: readonly Slot[]; readonly upTo: readonly Slot[] };

  constructor(
    private readonly dialect: Dialect,
    private readonly plan: WalkPlan,
    private readonly announcer: WalkAnnouncer,
  ) {
    const { fields } = plan.ordering;
    this.slots = { after: fields.map(slotOf('after')), upTo: fields.map(slotOf('upTo')) };
  }

  /**
   * If more pages follow and the walk is not announced yet, announces it and reads again. A slow walk is announced
   * first, because its read is expensive.
   * @param attempts Number of earlier announcements by this call.
   * @returns Undefined if the page must be read in the background.
   */
  begin(reader: ValueReader, limit: number, attempts = 0): MaybePromise<WalkStep | undefined> {
    const { isServed, isSlow } = this.plan;
    if (!isServed && !isSlow) return undefined;
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

  /** One statement, so that no write comes between rows and snapshot. */
  private readFirst(reader: ValueReader, limit: number): MaybePromise<RowsBeside> {
    const { collection, columns, filter, ordering, isSlow } = this.plan;
    const size = readSize(limit);
    const make = (): Read<RowsBeside> =>
      readBeside((params) => snapshotSql(this.dialect, collection, params), {
        table: collection,
        columns,
        filter,
        ordering,
        isSlow,
        limit: size,
      });
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
    const { isServed, isSlow } = this.plan;
    if (!isServed && !isSlow) return undefined;
    const rows: RowValues[] = [];
    const goOn = (from: SortPosition, size: number): MaybePromise<WalkStep | undefined> =>
      thenMaybe(this.segment(reader, from, snapshot, size), (segment) => {
        if (segment === undefined) return undefined;
        rows.push(...segment.rows);
        const { upTo } = segment;
        if (upTo === undefined || rows.length > limit)
          return { rows: rows.slice(0, limit), more: rows.length > limit, snapshot };
        if (size === LARGEST_READ && !isSlow) return undefined;
        return goOn(upTo, readSize(size));
      });
    return goOn(after, readSize(limit));
  }

  /**
   * Reads unchanged rows, and the versions up to the last of them, so that many changes do not raise the cost. Current
   * rows come first: one that is replaced between the reads is found twice, never missed.
   */
  private segment(
    reader: ValueReader,
    after: SortPosition,
    snapshot: Snapshot,
    limit: number,
  ): MaybePromise<Segment | undefined> {
    return reader.readTransaction(() => this.readSegment(reader, after, snapshot, limit));
  }

  private readSegment(
    reader: ValueReader,
    after: SortPosition,
    snapshot: Snapshot,
    limit: number,
  ): MaybePromise<Segment | undefined> {
    const end = this.plan.ordering.endAt(latestTime(snapshot));
    return thenMaybe(
      this.current(reader, { after, upTo: end, snapshot }, limit),
      ({ rows: current, value: clocks }) => {
        const lastCurrent = this.lastPosition(current, limit);
        // Nothing was written since the snapshot.
        if (isSame(String(clocks), snapshot)) return { rows: current, upTo: lastCurrent };
        return thenMaybe(this.replaced(reader, { after, upTo: lastCurrent ?? end, snapshot }, limit), (replaced) => {
          if (replaced === undefined) return undefined;
          const upTo = this.earlier(lastCurrent, this.lastPosition(replaced, limit));
          const seen = current.filter((row) => isSeen(row, snapshot));
          const rows = replaced.length === 0 ? seen : this.merge(seen, replaced);
          // Only a version can be after the end of the segment.
          const isWhole = replaced.length === 0 || upTo === undefined;
          return { rows: isWhole ? rows : rows.filter((row) => this.isUpTo(row, upTo)), upTo };
        });
      },
    );
  }

  private current(reader: ValueReader, bindings: SegmentBindings, limit: number): MaybePromise<RowsBeside> {
    const make = (): Read<RowsBeside> => {
      const { collection: table, columns, filter, ordering, isSlow } = this.plan;
      const { dialect } = this;
      const moment = (params: Parameters): string => snapshotSql(dialect, table, params);
      const only = isSlow ? { only: (params: Parameters) => [seenSql(dialect, params)] } : {};
      const scan = { table, columns, filter, ordering, isSlow, limit, ...only, ...this.termsOf(bindings) };
      return readThen(dialect, moment, scan);
    };
    return (this.currents ??= cachedReads()).memo(this.formOf(bindings, limit), { context: make })(reader, bindings);
  }

  /**
   * Checks even without versions, because a short list would be wrong, and after the read, to notice versions pruned
   * meanwhile.
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

  /** Only SQLite reads on the main thread. */
  private areFewReplaced(reader: ValueReader, bindings: SegmentBindings): MaybePromise<boolean> {
    const { collection, parent, ordering, isSlow } = this.plan;
    if (isSlow || this.dialect !== 'sqlite') return true;
    const make = (): Statement => {
      const columns = ordering.columns;
      const scan = { table: versionsOf(collection), columns, filter: parent, ordering, isSlow };
      const terms = this.termsOf(bindings);
      return new Statement(
        (params) =>
          `SELECT count(*) FROM (${scanSql({ ...scan, ...terms, limit: MAX_VERSIONS_SIFTED }, params)}) sifted`,
      );
    };
    const counting = (this.siftings ??= cachedReads()).memo(this.formOf(bindings, MAX_VERSIONS_SIFTED), {
      context: make,
    });
    const counted = reader.readValues(counting.sql, counting.params.bound(bindings));
    return thenMaybe(counted, ([row]) => Number(row?.[0]) < MAX_VERSIONS_SIFTED);
  }

  private readReplaced(
    reader: ValueReader,
    bindings: SegmentBindings,
    limit: number,
  ): MaybePromise<readonly RowValues[]> {
    const make = (): Read<RowsBeside> => {
      const { collection, columns, filter, parent, ordering, isSlow } = this.plan;
      const { dialect } = this;
      const table = versionsOf(collection);
      const only = (params: Parameters): string[] => [
        ...siftConditions(filter, params),
        validSql(dialect, params),
        existsSql(collection, table),
      ];
      const kept = (params: Parameters): string => keptSql(dialect, collection, params);
      const rest = { filter: parent, ordering, isSlow, limit, only, ...this.termsOf(bindings) };
      return readThen(dialect, kept, { table, columns, ...rest });
    };
    const read = (this.replacements ??= cachedReads()).memo(this.formOf(bindings, limit), { context: make });
    return thenMaybe(read(reader, bindings), ({ rows, value }) => {
      if (!value) throw new ExpiredCursorError();
      return rows;
    });
  }

  /** Contains null sort keys, the number of keys that the positions share, and values that a filter fixes. */
  private formOf({ after, upTo }: SegmentBindings, limit: number): string {
    const form = `${String(limit)} ${this.formOfKey(after, 0)}`;
    if (upTo === undefined) return form;
    const common = this.plan.ordering.commonKeys(after, upTo);
    return `${form}to ${String(common)} ${this.formOfKey(upTo, common)}`;
  }

  private formOfKey({ key }: SortPosition, from: number): string {
    let form = '';
    for (let at = from; at < this.plan.ordering.fields.length; at += 1) {
      form += this.isConstant(key, at) ? `${JSON.stringify(key[at] ?? null)} ` : '? ';
    }
    return form;
  }

  private termsOf({ after, upTo }: SegmentBindings): { after: PositionTerms; upTo: PositionTerms | undefined } {
    const termOf = (position: SortPosition, slots: readonly Slot[], at: number): KeyValue | Slot =>
      this.isConstant(position.key, at) ? (position.key[at] ?? null) : (slots[at] ?? null);
    const key = this.slots.after.map((_, at) => termOf(after, this.slots.after, at));
    const afterTerms = { key, id: AFTER_ID };
    if (upTo === undefined) return { after: afterTerms, upTo: undefined };
    const common = this.plan.ordering.commonKeys(after, upTo);
    const end = key.map((shared, at) => (at < common ? shared : termOf(upTo, this.slots.upTo, at)));
    return { after: afterTerms, upTo: { key: end, id: UP_TO_ID } };
  }

  private isConstant(key: readonly KeyValue[], at: number): boolean {
    return (key[at] ?? null) === null || (this.plan.ordering.fields[at] ?? '') in this.plan.filter;
  }

  private merge(current: readonly RowValues[], replaced: readonly RowValues[]): readonly RowValues[] {
    const byId = new Map([...current, ...replaced].map((row) => [row[ID], row]));
    return this.plan.ordering.sorted([...byId.values()]);
  }

  /** Undefined after a read that reached the end of the list. */
  private lastPosition(rows: readonly RowValues[], limit: number): SortPosition | undefined {
    const last = rows.at(limit - 1);
    return last && this.plan.ordering.positionOf(last);
  }

  private earlier(a: SortPosition | undefined, b: SortPosition | undefined): SortPosition | undefined {
    if (a === undefined || b === undefined) return a ?? b;
    return this.plan.ordering.compare(a, b) < 0 ? a : b;
  }

  private isUpTo(row: RowValues, position: SortPosition): boolean {
    return this.plan.ordering.compare(this.plan.ordering.positionOf(row), position) <= 0;
  }
}

interface SegmentBindings extends Bindings {
  readonly after: SortPosition;
}

const AFTER_ID: Slot = ({ after }) => after?.id ?? '';
const UP_TO_ID: Slot = ({ upTo }) => upTo?.id ?? '';

function slotOf(which: 'after' | 'upTo'): (field: string, index: number) => Slot {
  return (_, index) => (bindings) => bindings[which]?.key[index] ?? null;
}

/** Each size is a separate statement, so they are few. */
function readSize(above: number): number {
  for (const size of READ_SIZES) if (size > above) return size;
  return LARGEST_READ;
}
