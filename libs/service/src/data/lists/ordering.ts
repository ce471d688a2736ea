import type { ListRange, SortKey } from '@items/paging';
import type { Dialect } from '../schema/dialect.js';
import type { RowValues } from '../database/database.js';

import type { KeyValue, Place } from '../definition/bindings.js';
import type { Parameters, Slot } from './page-statement.js';
import { ID } from '../definition/row-values.js';

/** A column to order by. */
interface Key extends SortKey {
  readonly nullable: boolean;
}

/** What the service sets itself, by the clock that stamps the rows as well. */
const TIMES: readonly string[] = ['created_at', 'updated_at'];
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** What a statement knows of a place: values, and where values will stand. */
export interface PlaceTerms {
  readonly key: readonly (KeyValue | Slot)[];
  readonly id: string | Slot;
}

/** Columns and their values. */
type Values = Readonly<Record<string, KeyValue>>;

/** A condition of a WHERE. */
type Condition = (params: Parameters) => string;

/** Where a range goes on behind a place; `end` and `descending` as in {@link Range}. */
interface Beyond {
  readonly conditions: readonly Condition[];
  readonly end?: Condition | undefined;
  readonly descending?: string;
}

/** A stretch of an order, as SQL that an index serves. */
export interface Range {
  /** Conditions to be joined by AND. */
  readonly where: (params: Parameters) => string[];
  /** One more condition: where it ends in its order. */
  readonly end?: Condition | undefined;
  readonly orderBy: string;
  /**
   * The rows that have a value of this column, in descending order. Ids ascend within a value; a database that would sort for
   * that reads them as its index has them: `rangesOf` of `row-scan.ts`.
   */
  readonly descending?: string;
}

/** An order that an index has as it is. */
export interface IndexOrder {
  /** What it orders by before the id. */
  readonly column: string;
  /** Whether it is the order that was asked for. */
  readonly exact: boolean;
  /** Whether ids descend within a value. */
  readonly idDescends: boolean;
  readonly orderBy: (backward: boolean) => string;
}

/**
 * A total order of rows: the sort keys, nulls last in either direction, then the id; in SQL and in memory alike.
 * SPEC §4.1
 */
export class Ordering {
  /** Where the values of the sort keys stand in a row. */
  private readonly places: readonly number[];
  /** The sort keys. */
  readonly fields: readonly string[];
  /** Between which conditions on the first key its rows are; undefined for all rows. */
  private readonly part: { readonly start: Condition | undefined; readonly end: Condition | undefined } | undefined;

  /** @param columns of the rows, in the order of their values. @param range of the first key: the only rows that it knows. */
  constructor(
    readonly dialect: Dialect,
    private readonly keys: readonly Key[],
    columns: readonly string[],
    private readonly range?: ListRange,
  ) {
    this.part = range && partOf(range, this.first.descending);
    this.fields = keys.map((key) => key.field);
    this.places = this.fields.map((field) => columns.indexOf(field));
  }

  /** The ORDER BY list. @param backward for the opposite order. */
  orderBy(backward = false): string {
    return this.terms(0, backward);
  }

  /** The columns that {@link orderBy} names. */
  get columns(): readonly string[] {
    return [...this.fields, 'id'];
  }

  placeOf(row: RowValues): Place {
    const key: KeyValue[] = [];
    for (const place of this.places) key.push(row[place] as KeyValue);
    return { key, id: row[ID] as string };
  }

  /** Most rows come in order. */
  sorted(rows: readonly RowValues[]): readonly RowValues[] {
    let previous: Place | undefined;
    for (const row of rows) {
      const place = this.placeOf(row);
      if (previous !== undefined && this.compare(previous, place) > 0)
        return [...rows].sort((a, b) => this.compare(this.placeOf(a), this.placeOf(b)));
      previous = place;
    }
    return rows;
  }

  /** Negative where `a` comes first. */
  compare(a: Place, b: Place): number {
    for (const [index, { descending }] of this.keys.entries()) {
      const order = compareValues(a.key[index] ?? null, b.key[index] ?? null, descending);
      if (order !== 0) return order;
    }
    return compareText(a.id, b.id);
  }

  /**
   * All rows. A bound that holds for every value makes SQLite read by the index of the first key, and sort by the
   * others only among equals, where it would sort the whole table.
   */
  all(table: string): Range[] {
    const { field, descending, nullable } = this.first;
    if (this.part !== undefined) {
      const { start, end } = this.part;
      const where = (params: Parameters): string[] => (start === undefined ? [] : [start(params)]);
      return [{ where, end, orderBy: this.terms(1, false), ...(this.isReversed && { descending: field }) }];
    }
    if (this.isReversed) {
      const where = nullable ? () => [`${field} IS NOT NULL`] : () => [];
      const reversed: Range = { where, orderBy: this.orderBy(), descending: field };
      return nullable ? [reversed, { where: () => [`${field} IS NULL`], orderBy: this.terms(1, false) }] : [reversed];
    }
    if (this.keys.length === 1) return [{ where: () => [], orderBy: this.orderBy() }];
    const bound = descending ? `<= (SELECT max(${field}) FROM ${table})` : `>= (SELECT min(${field}) FROM ${table})`;
    const orderBy = this.terms(1, false);
    const bounded: Range = { where: () => [`${field} ${bound}`], orderBy };
    return nullable ? [bounded, { where: () => [`${field} IS NULL`], orderBy }] : [bounded];
  }

  /**
   * What comes after a place, as ranges that an index can serve one by one, in order: rows that share all keys and
   * have a greater id, then those that share all but the last key, and so on. Together they are what one comparison of
   * tuples would be, had SQL tuples with nulls last and mixed directions.
   * @param fixed the values of keys that all rows share, since a filter says so.
   * @param upTo where to stop, within the range of the order. The ranges may go on beyond it, but not past the first key that tells it from `place`.
   */
  after(place: PlaceTerms, fixed: Values, upTo?: PlaceTerms): Range[] {
    if (upTo === undefined && this.joinsId(place, fixed)) return this.afterJoined(place);
    const common = upTo === undefined ? -1 : this.commonKeys(place, upTo);
    const ranges: Range[] = [];
    for (let shared = this.keys.length; shared >= Math.max(common, 0); shared--) {
      const same = this.same(shared, place, fixed);
      if (same === undefined) continue;
      const orderBy = this.terms(shared + 1, false);
      for (const beyond of this.beyond(shared, place, fixed, shared === common ? upTo : undefined)) {
        ranges.push({
          where: (params) => [...same, ...beyond.conditions].map((condition) => condition(params)),
          end: beyond.end,
          orderBy,
          ...(beyond.descending !== undefined && { descending: beyond.descending }),
        });
      }
    }
    return ranges;
  }

  /**
   * Whether one comparison of a key and the id says what comes after a place: for the only key, where it ascends as ids do
   * and is not null. An index of SQLite serves it as one range; PostgreSQL is asked one statement anyway.
   */
  private joinsId({ key: [value = null] }: PlaceTerms, fixed: Values): boolean {
    const { field, descending } = this.first;
    return this.dialect === 'sqlite' && this.keys.length === 1 && !descending && value !== null && !(field in fixed);
  }

  private afterJoined({ key: [value = null], id }: PlaceTerms): Range[] {
    const { field, nullable } = this.first;
    const orderBy = this.terms(1, false);
    const greater: Range = {
      where: (params) => [`(${field}, id) > (${params.add(value)}, ${params.add(id)})`],
      end: this.part?.end,
      orderBy,
    };
    return nullable && this.part === undefined ? [greater, { where: () => [`${field} IS NULL`], orderBy }] : [greater];
  }

  /** Conditions on the keys that are shared; undefined where a fixed value already differs. */
  private same(shared: number, place: PlaceTerms, fixed: Values): Condition[] | undefined {
    const keys = this.keys.slice(0, shared).map(({ field }, index) => ({ field, value: place.key[index] ?? null }));
    if (keys.some(({ field, value }) => field in fixed && fixed[field] !== value)) return undefined;
    return keys.filter(({ field }) => !(field in fixed)).map(({ field, value }) => equals(field, value));
  }

  /**
   * Where rows end that are not later than a time: in an order by time, all that was written since a walk began comes
   * behind, and need not be looked at. Undefined for other orders.
   */
  endAt(timeMs: number | undefined): Place | undefined {
    const { field, descending } = this.first;
    if (timeMs === undefined || descending || !TIMES.includes(field)) return undefined;
    // The range ends before.
    if (Number(this.range?.max ?? Infinity) <= timeMs) return undefined;
    return { key: [timeMs], id: LAST_ID };
  }

  /** The rows that share the first key's value, and all that come after them. */
  from(value: KeyValue): Range[] {
    const orderBy = this.terms(1, false);
    const same: Beyond = { conditions: [equals(this.first.field, value)] };
    return [same, ...this.beyond(0, { key: [value], id: '' }, {}, undefined)].map(({ conditions, descending }) => ({
      where: (params) => conditions.map((condition) => condition(params)),
      orderBy,
      ...(descending !== undefined && { descending }),
    }));
  }

  /**
   * The order of an index that agrees with this one as far as the first key: rows of one value of it may come otherwise.
   * On PostgreSQL, nullable columns have an index of their own for the descending order.
   */
  get indexed(): IndexOrder {
    const { first } = this;
    const idDescends = first.descending && !(this.dialect === 'postgres' && first.nullable);
    return {
      column: first.field,
      exact: this.keys.length === 1 && !idDescends,
      idDescends,
      orderBy: (backward) => `${this.term(first, backward, true)}, ${idOrder(backward !== idDescends)}`,
    };
  }

  /**
   * Whether it is the descending order of one key, which an index has but for the ids within a value. PostgreSQL sorts those
   * as it comes to them; of a range it expects so few rows that it would rather sort all of them at once.
   */
  get isReversed(): boolean {
    const isSorted = this.dialect === 'postgres' && this.part === undefined;
    return !isSorted && this.keys.length === 1 && this.first.descending;
  }

  private get first(): Key {
    const [first] = this.keys;
    if (first === undefined) throw new Error('An ordering needs at least one key.');
    return first;
  }

  /** How many of the first keys two places share. */
  commonKeys(a: PlaceTerms, b: PlaceTerms): number {
    const different = a.key.findIndex((value, index) => value !== b.key[index]);
    return different === -1 ? this.keys.length : different;
  }

  /** Conditions on the first key that is not shared: greater, or null, which comes last. */
  private beyond(shared: number, place: PlaceTerms, fixed: Values, upTo: PlaceTerms | undefined): Beyond[] {
    const key = this.keys[shared];
    if (key === undefined) {
      const greater = compares('id', '>', place.id);
      return [{ conditions: [greater], end: upTo && compares('id', '<=', upTo.id) }];
    }
    const value = place.key[shared] ?? null;
    const known = fixed[key.field];
    // Where a filter says the value, the place says it as well.
    if (known !== undefined) {
      return compareValues(known, value as KeyValue, key.descending) > 0 ? [{ conditions: [] }] : [];
    }
    if (value === null) return [];
    const descending = this.isReversed ? { descending: key.field } : {};
    const greater = compares(key.field, key.descending ? '<' : '>', value);
    const limit = upTo?.key[shared] ?? null;
    if (limit !== null) {
      const end = compares(key.field, key.descending ? '>=' : '<=', limit);
      return [{ conditions: [greater], end, ...descending }];
    }
    const part = shared === 0 ? this.part : undefined;
    const beyond: Beyond = { conditions: [greater], end: part?.end, ...descending };
    return key.nullable && part === undefined ? [beyond, { conditions: [equals(key.field, null)] }] : [beyond];
  }

  /** @param pinned how many of the first keys are known to be all null or all not null. */
  private terms(pinned: number, backward: boolean): string {
    // SQLite keeps nulls elsewhere in its indexes, and finds them only where it need not place them.
    const terms = this.keys.map((key, index) =>
      this.term(key, backward, !(this.dialect === 'sqlite' && index < pinned)),
    );
    return [...terms, idOrder(backward)].join(', ');
  }

  private term({ field, descending, nullable }: Key, backward: boolean, placeNulls: boolean): string {
    const direction = descending === backward ? 'ASC' : 'DESC';
    const nulls = nullable && placeNulls ? ` NULLS ${backward ? 'FIRST' : 'LAST'}` : '';
    return `${field} ${direction}${nulls}`;
  }
}

/** The rows of a range, which are none whose key is null: a comparison leaves them out. */
function partOf({ field, min, max, below }: ListRange, descending: boolean): NonNullable<Ordering['part']> {
  const lower = min === undefined ? undefined : compares(field, '>=', min);
  const last = max === undefined ? undefined : compares(field, '<=', max);
  const upper = below === undefined ? last : compares(field, '<', below);
  return descending ? { start: upper, end: lower } : { start: lower, end: upper };
}

function idOrder(backward: boolean): string {
  return `id ${backward ? 'DESC' : 'ASC'}`;
}

function compares(column: string, operator: string, value: string | number | Slot): Condition {
  return (params) => `${column} ${operator} ${params.add(value)}`;
}

/** A condition that the column has the value, or is null. */
export function equals(column: string, value: KeyValue | Slot): Condition {
  return (params) => (value === null ? `${column} IS NULL` : `${column} = ${params.add(value)}`);
}

function compareValues(a: KeyValue, b: KeyValue, descending: boolean): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  const order = typeof a === 'string' && typeof b === 'string' ? compareText(a, b) : a < b ? -1 : 1;
  return descending ? -order : order;
}

/** By code point, as the databases compare bytes of UTF-8; `<` compares code units, where surrogates come too early. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x2000 : unit >= 0xe000 ? unit - 0x800 : unit;
}
