import { setImmediate as yieldToOthers } from 'node:timers/promises';

import { type Eventual, andThen } from '@items/conventions';
import { ExpiredCursorError } from '@items/errors';
import type { ListFilter } from '@items/paging';
import type { Database } from '@items/store';
import type { VersionedRow } from '@items/store/parts';

import type { Bindings, Place, Snapshot } from './bindings.js';
import { versionsOf } from './collection.js';
import { siftConditions } from './filter-conditions.js';
import { KeptReads } from './kept-reads.js';
import type { Ordering, PlaceTerms } from './ordering.js';
import type { Parameters, Slot } from './parameters.js';
import { type Read, readBeside, readThen, type RowsBeside } from './row-scan.js';
import { existsSql, isSame, isSeen, keptSql, latestTime, parseSnapshot, snapshotSql, validSql } from './snapshot.js';

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
 * of those that were replaced since. Its statements are put together once for all walks that ask for the same.
 * SPEC §4 Cursor rules; the README of @items/collections.
 */
export class Walk<Row extends VersionedRow> {
  private readonly beginnings = new KeptReads<Read<RowsBeside<Row, string>>>();
  private readonly currents = new KeptReads<Read<RowsBeside<Row, string>>>();
  private readonly replacements = new KeptReads<Read<RowsBeside<Row, unknown>>>();
  private readonly slots: { readonly after: readonly Slot[]; readonly upTo: readonly Slot[] };

  constructor(
    private readonly database: Database,
    private readonly plan: WalkPlan,
  ) {
    const { fields } = plan.ordering;
    this.slots = { after: fields.map(slotOf('after')), upTo: fields.map(slotOf('upTo')) };
  }

  /** The first rows, and the moment they were read at: both in one statement, so that nothing comes between. */
  begin(limit: number): Eventual<WalkStep<Row> & { snapshot: Snapshot }> {
    const { collection, columns, filter, ordering } = this.plan;
    const size = readSize(limit);
    const read = this.beginnings.get(String(size), () =>
      readBeside((params) => snapshotSql(this.database.dialect, collection, params), {
        table: collection,
        columns,
        filter,
        ordering,
        limit: size,
      }),
    );
    return andThen(read(this.database, {}), ({ rows, value }) => {
      return { ...step(rows, limit), snapshot: parseSnapshot(value) };
    });
  }

  /**
   * The rows after a place.
   * @throws {ExpiredCursorError} what was valid at the snapshot is no longer kept.
   */
  resume(after: Place, snapshot: Snapshot, limit: number): Eventual<WalkStep<Row>> {
    const rows: Row[] = [];
    const goOn = (from: Place, size: number): Eventual<WalkStep<Row>> =>
      andThen(this.stretch(from, snapshot, size), (stretch): Eventual<WalkStep<Row>> => {
        rows.push(...stretch.rows);
        const { upTo } = stretch;
        if (upTo === undefined || rows.length > limit) return step(rows, limit);
        const next = (): Eventual<WalkStep<Row>> => goOn(upTo, readSize(size));
        // A long run of rows that were replaced or added since: others shall not wait for it.
        return size === LARGEST_READ ? yieldToOthers().then(next) : next();
      });
    return goOn(after, readSize(limit));
  }

  /**
   * A part of the walk: the next current rows, those left out that are not as they were at the snapshot, and the versions
   * as far as these reach. So it costs the same if every row has changed. The current rows are read first: one that is
   * replaced in between is then found twice, never missed.
   */
  private stretch(after: Place, snapshot: Snapshot, limit: number): Eventual<Stretch<Row>> {
    const end = this.plan.ordering.endAt(latestTime(snapshot));
    return andThen(this.current({ after, upTo: end, snapshot }, limit), ({ rows: current, value: clocks }) => {
      const lastCurrent = this.lastPlace(current, limit);
      // Nothing was written since, until the rows were read: they are those of the snapshot, and nothing else was.
      if (isSame(parseSnapshot(clocks), snapshot)) return { rows: current, upTo: lastCurrent };
      return andThen(this.replaced({ after, upTo: lastCurrent ?? end, snapshot }, limit), (replaced) => {
        const upTo = this.earlier(lastCurrent, this.lastPlace(replaced, limit));
        const seen = current.filter((row) => isSeen(row, snapshot));
        const rows = replaced.length === 0 ? seen : this.merge(seen, replaced);
        return { rows: upTo === undefined ? rows : rows.filter((row) => this.isUpTo(row, upTo)), upTo };
      });
    });
  }

  private current(bindings: StretchBindings, limit: number): Eventual<RowsBeside<Row, string>> {
    const { form, ...terms } = this.terms(bindings);
    const read = this.currents.get(`${String(limit)} ${form}`, () => {
      const { collection: table, columns, filter, ordering } = this.plan;
      const { dialect } = this.database;
      const moment = (params: Parameters): string => snapshotSql(dialect, table, params);
      return readThen(dialect, moment, { table, columns, filter, ordering, limit, ...terms });
    });
    return read(this.database, bindings);
  }

  /**
   * Whether the snapshot is kept is asked also where there is no version: a short list would be a wrong answer. It is
   * asked not before the rows are read: what goes in between is gone for the asker as well.
   */
  private replaced(bindings: StretchBindings, limit: number): Eventual<Row[]> {
    const { form, ...terms } = this.terms(bindings);
    const read = this.replacements.get(`${String(limit)} ${form}`, () => {
      const { collection, columns, filter, parent, ordering } = this.plan;
      const { dialect } = this.database;
      const table = versionsOf(collection);
      const only = (params: Parameters): string[] => [
        ...siftConditions(filter, params),
        validSql(dialect, params),
        existsSql(collection, table),
      ];
      const kept = (params: Parameters): string => keptSql(dialect, collection, params);
      return readThen(dialect, kept, { table, columns, filter: parent, ordering, limit, only, ...terms });
    });
    return andThen(read(this.database, bindings), ({ rows, value }) => {
      if (!value) throw new ExpiredCursorError();
      return rows;
    });
  }

  /**
   * What a statement must know of its places beforehand: which keys are null, how many the places share, and the values
   * that a filter narrows, of which there are few.
   */
  private terms({ after, upTo }: StretchBindings): { form: string; after: PlaceTerms; upTo: PlaceTerms | undefined } {
    const { ordering, filter } = this.plan;
    const { fields } = ordering;
    let form = '';
    const termsOf = ({ key }: Place, slots: readonly Slot[], from: number): PlaceTerms['key'] =>
      slots.slice(from).map((slot, at) => {
        const value = key[from + at] ?? null;
        const isConstant = value === null || (fields[from + at] ?? '') in filter;
        form += isConstant ? `${JSON.stringify(value)} ` : '? ';
        return isConstant ? value : slot;
      });
    const afterTerms = { key: termsOf(after, this.slots.after, 0), id: AFTER_ID };
    if (upTo === undefined) return { form, after: afterTerms, upTo: undefined };
    const common = ordering.commonKeys(after, upTo);
    form += `to ${String(common)} `;
    const key = [...afterTerms.key.slice(0, common), ...termsOf(upTo, this.slots.upTo, common)];
    return { form, after: afterTerms, upTo: { key, id: UP_TO_ID } };
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

/** Of a part of a walk. */
interface StretchBindings extends Bindings {
  readonly after: Place;
}

const AFTER_ID: Slot = ({ after }) => after?.id ?? '';
const UP_TO_ID: Slot = ({ upTo }) => upTo?.id ?? '';

function slotOf(which: 'after' | 'upTo'): (field: string, index: number) => Slot {
  return (_, index) => (bindings) => bindings[which]?.key[index] ?? null;
}

function step<Row>(rows: readonly Row[], limit: number): WalkStep<Row> {
  return { rows: rows.slice(0, limit), more: rows.length > limit };
}

/** The next size of a read, above the rows asked for: few sizes, since each is a statement of its own. */
function readSize(above: number): number {
  return READ_SIZES.find((size) => size > above) ?? LARGEST_READ;
}
