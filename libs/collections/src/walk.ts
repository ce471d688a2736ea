import { setImmediate as yieldToOthers } from 'node:timers/promises';

import { type Eventual, andThen } from '@items/conventions';
import { ExpiredCursorError } from '@items/errors';
import type { ListFilter } from '@items/paging';
import type { Database, RowValues } from '@items/store';

import type { WalkAnnouncer } from './announce-walks.js';
import type { Bindings, KeyValue, Place, Snapshot } from './bindings.js';
import { versionsOf } from './collection.js';
import { siftConditions } from './filter-conditions.js';
import { KeptReads } from './kept-reads.js';
import type { Ordering, PlaceTerms } from './ordering.js';
import type { Parameters, Slot } from './parameters.js';
import type { RowsBeside } from './page-statement.js';
import { type Read, readBeside, readThen } from './row-scan.js';
import { idOf } from './row-values.js';
import {
  existsSql,
  isSame,
  isSeen,
  keptSql,
  latestTime,
  parseSnapshot,
  snapshotSql,
  untilWritten,
  validSql,
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
export interface WalkStep {
  readonly rows: readonly RowValues[];
  readonly more: boolean;
}

/** The first rows, and the moment that the walk shows. */
type Beginning = WalkStep & { readonly snapshot: Snapshot };

/** The rows of a part of a walk, and the place up to which they are all there; undefined at the end. */
interface Stretch {
  readonly rows: readonly RowValues[];
  readonly upTo: Place | undefined;
}

/**
 * A cursor walk over a collection as it was when the walk began: rows still as they were then, and the kept versions
 * of those that were replaced since. Its statements are put together once for all walks that ask for the same.
 * SPEC §4 Cursor rules; the README of @items/collections.
 */
export class Walk {
  private readonly beginnings = new KeptReads<Read<RowsBeside>>();
  private readonly currents = new KeptReads<Read<RowsBeside>>();
  private readonly replacements = new KeptReads<Read<RowsBeside>>();
  private readonly slots: { readonly after: readonly Slot[]; readonly upTo: readonly Slot[] };

  constructor(
    private readonly database: Database,
    private readonly plan: WalkPlan,
    private readonly announcer: WalkAnnouncer,
  ) {
    const { fields } = plan.ordering;
    this.slots = { after: fields.map(slotOf('after')), upTo: fields.map(slotOf('upTo')) };
  }

  /**
   * The first rows, and their moment. Where the walk goes on and writers do not know of it, they are told first.
   * @param told how often they were, for this beginning.
   */
  begin(limit: number, told = 0): Eventual<Beginning> {
    return andThen(this.first(limit), ({ isAnnounced, ...first }) => {
      if (isAnnounced || !first.more) return first;
      return this.announcer.announce(told).then((isDone) =>
        // What was written between the two was written without knowing of the walk.
        isDone ? this.begin(limit, told + 1) : { ...first, snapshot: untilWritten(first.snapshot) },
      );
    });
  }

  /** Rows and moment in one statement, so that nothing comes between. */
  private first(limit: number): Eventual<Beginning & { isAnnounced: boolean }> {
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
      const { isAnnounced, ...snapshot } = parseSnapshot(String(value));
      return { ...step(rows, limit), snapshot, isAnnounced };
    });
  }

  /**
   * The rows after a place.
   * @throws {ExpiredCursorError} what was valid at the snapshot is no longer kept.
   */
  resume(after: Place, snapshot: Snapshot, limit: number): Eventual<WalkStep> {
    const rows: RowValues[] = [];
    const goOn = (from: Place, size: number): Eventual<WalkStep> =>
      andThen(this.stretch(from, snapshot, size), (stretch): Eventual<WalkStep> => {
        rows.push(...stretch.rows);
        const { upTo } = stretch;
        if (upTo === undefined || rows.length > limit) return step(rows, limit);
        const next = (): Eventual<WalkStep> => goOn(upTo, readSize(size));
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
  private stretch(after: Place, snapshot: Snapshot, limit: number): Eventual<Stretch> {
    return this.database.together(() => this.readStretch(after, snapshot, limit));
  }

  private readStretch(after: Place, snapshot: Snapshot, limit: number): Eventual<Stretch> {
    const end = this.plan.ordering.endAt(latestTime(snapshot));
    return andThen(this.current({ after, upTo: end, snapshot }, limit), ({ rows: current, value: clocks }) => {
      const lastCurrent = this.lastPlace(current, limit);
      // Nothing was written since, until the rows were read: they are those of the snapshot, and nothing else was.
      if (isSame(String(clocks), snapshot)) return { rows: current, upTo: lastCurrent };
      return andThen(this.replaced({ after, upTo: lastCurrent ?? end, snapshot }, limit), (replaced) => {
        const upTo = this.earlier(lastCurrent, this.lastPlace(replaced, limit));
        const seen = current.filter((row) => isSeen(row, snapshot));
        const rows = replaced.length === 0 ? seen : this.merge(seen, replaced);
        // Current rows reach as far as they reach themselves: only a version may lie beyond.
        const isWhole = replaced.length === 0 || upTo === undefined;
        return { rows: isWhole ? rows : rows.filter((row) => this.isUpTo(row, upTo)), upTo };
      });
    });
  }

  private current(bindings: StretchBindings, limit: number): Eventual<RowsBeside> {
    const read = this.currents.get(this.formOf(bindings, limit), () => {
      const { collection: table, columns, filter, ordering } = this.plan;
      const { dialect } = this.database;
      const moment = (params: Parameters): string => snapshotSql(dialect, table, params);
      return readThen(dialect, moment, { table, columns, filter, ordering, limit, ...this.termsOf(bindings) });
    });
    return read(this.database, bindings);
  }

  /**
   * Whether the snapshot is kept is asked also where there is no version: a short list would be a wrong answer. It is
   * asked not before the rows are read: what goes in between is gone for the asker as well.
   */
  private replaced(bindings: StretchBindings, limit: number): Eventual<readonly RowValues[]> {
    const read = this.replacements.get(this.formOf(bindings, limit), () => {
      const { collection, columns, filter, parent, ordering } = this.plan;
      const { dialect } = this.database;
      const table = versionsOf(collection);
      const only = (params: Parameters): string[] => [
        ...siftConditions(filter, params),
        validSql(dialect, params),
        existsSql(collection, table),
      ];
      const kept = (params: Parameters): string => keptSql(dialect, collection, params);
      const rest = { filter: parent, ordering, limit, only, ...this.termsOf(bindings) };
      return readThen(dialect, kept, { table, columns, ...rest });
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
  private formOf({ after, upTo }: StretchBindings, limit: number): string {
    const form = `${String(limit)} ${this.formOfKey(after, 0)}`;
    if (upTo === undefined) return form;
    const common = this.plan.ordering.commonKeys(after, upTo);
    return `${form}to ${String(common)} ${this.formOfKey(upTo, common)}`;
  }

  private formOfKey({ key }: Place, from: number): string {
    let form = '';
    for (let at = from; at < this.plan.ordering.fields.length; at += 1) {
      form += this.isConstant(key, at) ? `${JSON.stringify(key[at] ?? null)} ` : '? ';
    }
    return form;
  }

  /** The places of a statement of such a form. */
  private termsOf({ after, upTo }: StretchBindings): { after: PlaceTerms; upTo: PlaceTerms | undefined } {
    const termOf = (place: Place, slots: readonly Slot[], at: number): KeyValue | Slot =>
      this.isConstant(place.key, at) ? (place.key[at] ?? null) : (slots[at] ?? null);
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

  private merge(current: readonly RowValues[], replaced: readonly RowValues[]): RowValues[] {
    const byId = new Map([...current, ...replaced].map((row) => [idOf(row), row]));
    return this.plan.ordering.sorted([...byId.values()]);
  }

  /** How far a scan has come; undefined where it has come to the end. */
  private lastPlace(rows: readonly RowValues[], limit: number): Place | undefined {
    const last = rows.at(limit - 1);
    return last && this.plan.ordering.placeOf(last);
  }

  private earlier(a: Place | undefined, b: Place | undefined): Place | undefined {
    if (a === undefined || b === undefined) return a ?? b;
    return this.plan.ordering.compare(a, b) < 0 ? a : b;
  }

  private isUpTo(row: RowValues, place: Place): boolean {
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

function step(rows: readonly RowValues[], limit: number): WalkStep {
  return { rows: rows.slice(0, limit), more: rows.length > limit };
}

/** The next size of a read, above the rows asked for: few sizes, since each is a statement of its own. */
function readSize(above: number): number {
  return READ_SIZES.find((size) => size > above) ?? LARGEST_READ;
}
