import { setImmediate as yieldToOthers } from 'node:timers/promises';

import { ExpiredCursorError } from '@items/errors';
import type { ListFilter } from '@items/paging';
import type { Database } from '@items/store';
import type { VersionedRow } from '@items/store/parts';

import { versionsOf } from './collection.js';
import { siftConditions } from './filter-conditions.js';
import type { Ordering, Place } from './ordering.js';
import { scanRowsBeside, scanRowsThen, type RowScan } from './row-scan.js';
import {
  existsSql,
  isSame,
  isSeen,
  keptSql,
  latestTime,
  parseSnapshot,
  snapshotSql,
  validSql,
  type Snapshot,
} from './snapshot.js';

const LARGEST_READ = 1001;
const READ_SIZES = [6, 21, 51, 101, 201, 501];

/** What a walk goes over. */
export interface WalkPlan {
  readonly collection: string;
  readonly columns: readonly string[];
  /** Columns and the values that they may have. */
  readonly filter: ListFilter;
  /** The part of the filter that the path of a nested collection says. */
  readonly parent: ListFilter;
  readonly ordering: Ordering;
}

/** Some rows of a walk, and whether there are more. */
export interface WalkStep<Row> {
  readonly rows: readonly Row[];
  readonly more: boolean;
}

/** The rows of a part of a walk, and the place up to which they are all there; undefined at the end. */
interface Stretch<Row> {
  readonly rows: readonly Row[];
  readonly upTo: Place | undefined;
}

/**
 * A cursor walk over a collection as it was when the walk began: rows still as they were then, and the kept versions
 * of those that were replaced since. SPEC §4 Cursor rules; the README of @items/collections.
 */
export class Walk<Row extends VersionedRow> {
  constructor(
    private readonly database: Database,
    private readonly plan: WalkPlan,
  ) {}

  /** The first rows, and the moment they were read at: both in one statement, so that nothing comes between. */
  async begin(limit: number): Promise<WalkStep<Row> & { snapshot: Snapshot }> {
    const { collection, columns, filter, ordering } = this.plan;
    const { rows, value } = await scanRowsBeside<Row, string>(
      this.database,
      (params) => snapshotSql(this.database.dialect, collection, params),
      { table: collection, columns, filter, ordering, limit: readSize(limit) },
    );
    return { ...step(rows, limit), snapshot: parseSnapshot(value) };
  }

  /**
   * The rows after a place.
   * @throws {ExpiredCursorError} what was valid at the snapshot is no longer kept.
   */
  async resume(after: Place, snapshot: Snapshot, limit: number): Promise<WalkStep<Row>> {
    const rows: Row[] = [];
    let from: Place | undefined = after;
    for (let size = readSize(limit); from !== undefined && rows.length <= limit; size = readSize(size)) {
      const stretch: Stretch<Row> = await this.stretch(from, snapshot, size);
      rows.push(...stretch.rows);
      from = stretch.upTo;
      // A long run of rows that were replaced or added since: others shall not wait for it.
      if (size === LARGEST_READ) await yieldToOthers();
    }
    return step(rows, limit);
  }

  /**
   * A part of the walk: the next current rows, those left out that are not as they were at the snapshot, and the versions
   * as far as these reach. So it costs the same if every row has changed. The current rows are read first: one that is
   * replaced in between is then found twice, never missed.
   */
  private async stretch(after: Place, snapshot: Snapshot, limit: number): Promise<Stretch<Row>> {
    const { collection, columns, filter, parent, ordering } = this.plan;
    const { dialect } = this.database;
    const end = ordering.endAt(latestTime(snapshot));
    const scan = { columns, filter, ordering, after, limit };
    const { rows: current, value: clocks } = await scanRowsThen<Row, string>(
      this.database,
      (params) => snapshotSql(dialect, collection, params),
      { ...scan, table: collection, upTo: end },
    );
    const lastCurrent = this.lastPlace(current, limit);
    // Nothing was written since, until the rows were read: they are those of the snapshot, and nothing else was.
    if (isSame(parseSnapshot(clocks), snapshot)) return { rows: current, upTo: lastCurrent };
    const replaced = await this.keptRows(snapshot, {
      ...scan,
      table: versionsOf(collection),
      filter: parent,
      upTo: lastCurrent ?? end,
      only: (params) => [
        ...siftConditions(filter, params),
        validSql(dialect, snapshot, params),
        existsSql(collection, versionsOf(collection)),
      ],
    });
    const upTo = this.earlier(lastCurrent, this.lastPlace(replaced, limit));
    const seen = current.filter((row) => isSeen(row, snapshot));
    const rows = replaced.length === 0 ? seen : this.merge(seen, replaced);
    return { rows: upTo === undefined ? rows : rows.filter((row) => this.isUpTo(row, upTo)), upTo };
  }

  /**
   * Whether the snapshot is kept is asked also where there is no version: a short list would be a wrong answer. It is
   * asked not before the rows are read: what goes in between is gone for the asker as well.
   */
  private async keptRows(snapshot: Snapshot, scan: RowScan): Promise<Row[]> {
    const { rows, value } = await scanRowsThen<Row, unknown>(
      this.database,
      (params) => keptSql(this.database.dialect, this.plan.collection, snapshot, params),
      scan,
    );
    if (!value) throw new ExpiredCursorError();
    return rows;
  }

  private merge(current: readonly Row[], replaced: readonly Row[]): Row[] {
    const byId = new Map([...current, ...replaced].map((row) => [row.id, row]));
    return this.plan.ordering.sorted([...byId.values()]);
  }

  /** How far a scan has come; undefined where it has come to the end. */
  private lastPlace(rows: readonly Row[], limit: number): Place | undefined {
    const last = rows.at(limit - 1);
    return last && this.plan.ordering.placeOf(last);
  }

  private earlier(a: Place | undefined, b: Place | undefined): Place | undefined {
    if (a === undefined || b === undefined) return a ?? b;
    return this.plan.ordering.compare(a, b) < 0 ? a : b;
  }

  private isUpTo(row: Row, place: Place): boolean {
    return this.plan.ordering.compare(this.plan.ordering.placeOf(row), place) <= 0;
  }
}

function step<Row>(rows: readonly Row[], limit: number): WalkStep<Row> {
  return { rows: rows.slice(0, limit), more: rows.length > limit };
}

/** The next size of a read, above the rows asked for: few sizes, since each is a statement of its own. */
function readSize(above: number): number {
  return READ_SIZES.find((size) => size > above) ?? LARGEST_READ;
}
