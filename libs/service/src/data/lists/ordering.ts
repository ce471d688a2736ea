import type { ListRange, SortKey } from '@items/paging';
import type { Dialect } from '../schema/dialect.js';
import type { RowValues } from '../database/database.js';
import type { KeyValue, Parameters, Slot, SortPosition } from './page-statement.js';
import { ID } from '../database/versioned-row.js';
import { sqlName } from '../schema/quoted.js';

interface Key extends SortKey {
  readonly nullable: boolean;
}

/** Times by the clock that also stamps rows. In a snapshot, they are at most its `latestTime`. */
const TIMES: readonly string[] = ['created_at', 'updated_at'];
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export interface PositionTerms {
  readonly key: readonly (KeyValue | Slot)[];
  readonly id: string | Slot;
}

type Values = Readonly<Record<string, KeyValue>>;

type Condition = (params: Parameters) => string;

interface UnorderedRange {
  readonly conditions: readonly Condition[];
  readonly end?: Condition | undefined;
  /**
   * Set if `isReversed`: rows descend by this column. Among equal values, ids must ascend, but an index read backwards
   * returns descending ids. So `reversed` in row-scan.ts splits the range to avoid a sort.
   */
  readonly descending?: string | undefined;
}

/** A range of rows that an index returns in the order `orderBy`. */
export interface Range extends UnorderedRange {
  readonly orderBy: string;
}

export interface IndexOrder {
  readonly column: string;
  readonly exact: boolean;
  readonly idDescends: boolean;
  readonly orderBy: (backward: boolean) => string;
}

/** A total order, in SQL and in memory: the sort keys with nulls last in both directions, then the id. SPEC §4.1 */
export class Ordering {
  private readonly keyColumns: readonly number[];
  readonly fields: readonly string[];
  private readonly bounds: { readonly start: Condition | undefined; readonly end: Condition | undefined } | undefined;

  constructor(
    readonly dialect: Dialect,
    private readonly keys: readonly Key[],
    columns: readonly string[],
    private readonly range?: ListRange,
  ) {
    this.bounds = range && boundsOf(range, this.first.descending);
    this.fields = keys.map((key) => key.field);
    this.keyColumns = this.fields.map((field) => columns.indexOf(field));
  }

  orderBy(backward = false): string {
    return this.terms(0, backward);
  }

  get columns(): readonly string[] {
    return [...this.fields, 'id'];
  }

  positionOf(row: RowValues): SortPosition {
    const key: KeyValue[] = [];
    for (const column of this.keyColumns) key.push(row[column] as KeyValue);
    return { key, id: row[ID] as string };
  }

  sorted(rows: readonly RowValues[]): readonly RowValues[] {
    let previous: SortPosition | undefined;
    for (const row of rows) {
      const position = this.positionOf(row);
      if (previous !== undefined && this.compare(previous, position) > 0)
        return [...rows].sort((a, b) => this.compare(this.positionOf(a), this.positionOf(b)));
      previous = position;
    }
    return rows;
  }

  compare(a: SortPosition, b: SortPosition): number {
    for (const [index, { descending }] of this.keys.entries()) {
      const order = compareValues(a.key[index] ?? null, b.key[index] ?? null, descending);
      if (order !== 0) return order;
    }
    return compareText(a.id, b.id);
  }

  /**
   * Returns the ranges of the whole list. With several keys, adds a bound that every value fulfils: SQLite then reads
   * the index of the first key, and sorts only its ties.
   */
  all(name: string): Range[] {
    const { field, descending, nullable } = this.first;
    const column = sqlName(field);
    const orderBy = this.terms(1, false);
    if (this.bounds !== undefined) {
      const { start, end } = this.bounds;
      const conditions = start === undefined ? [] : [start];
      return [{ conditions, end, orderBy, descending: this.isReversed ? field : undefined }];
    }
    const nulls = nullable ? [{ conditions: [equals(field, null)], orderBy }] : [];
    if (this.isReversed) {
      const conditions = nullable ? [() => `${column} IS NOT NULL`] : [];
      return [{ conditions, orderBy: this.orderBy(), descending: field }, ...nulls];
    }
    if (this.keys.length === 1) return [{ conditions: [], orderBy: this.orderBy() }];
    const [operator, extreme] = descending ? ['<=', 'max'] : ['>=', 'min'];
    const bound = (): string => `${column} ${operator} (SELECT ${extreme}(${column}) FROM ${sqlName(name)})`;
    return [{ conditions: [bound], orderBy }, ...nulls];
  }

  /**
   * Returns the rows after a position as consecutive ranges, each served by an index: first rows with equal keys and a
   * greater id, then rows that share all keys but the last, and so on. SQL has no tuple comparison with nulls last and
   * mixed directions.
   * @param fixed Values of keys that a filter makes equal for all rows.
   * @param upTo Rows after this position are not needed. Some may still be in the ranges: rows that equal `upTo` in the
   * first key in which `upTo` and `position` differ.
   */
  after(position: PositionTerms, fixed: Values, upTo?: PositionTerms): Range[] {
    const joined = upTo === undefined ? this.afterJoined(position, fixed) : undefined;
    if (joined !== undefined) return joined;
    const common = upTo === undefined ? -1 : this.commonKeys(position, upTo);
    const ranges: Range[] = [];
    for (let shared = this.keys.length; shared >= Math.max(common, 0); shared--) {
      const equal = this.equalKeys(shared, position, fixed);
      if (equal === undefined) continue;
      const orderBy = this.terms(shared + 1, false);
      for (const later of this.laterRanges(shared, position, fixed, shared === common ? upTo : undefined)) {
        ranges.push({ ...later, conditions: [...equal, ...later.conditions], orderBy });
      }
    }
    return ranges;
  }

  /**
   * On SQLite, one comparison of (key, id) can replace two ranges. There must be a single ascending key, with a value
   * in the position. PostgreSQL reads all ranges in one statement anyway.
   */
  private afterJoined({ key: [value = null], id }: PositionTerms, fixed: Values): Range[] | undefined {
    const { field, descending, nullable } = this.first;
    const isOneAscending = this.keys.length === 1 && !descending && value !== null && !(field in fixed);
    if (this.dialect !== 'sqlite' || !isOneAscending) return undefined;
    const greater: Condition = (params) => `(${sqlName(field)}, id) > (${params.add(value)}, ${params.add(id)})`;
    const orderBy = this.terms(1, false);
    const range: Range = { conditions: [greater], end: this.bounds?.end, orderBy };
    return nullable && this.bounds === undefined ? [range, { conditions: [equals(field, null)], orderBy }] : [range];
  }

  /** Conditions that the first keys equal those of the position. Undefined if a filter excludes such rows. */
  private equalKeys(shared: number, position: PositionTerms, fixed: Values): Condition[] | undefined {
    const keys = this.keys.slice(0, shared).map(({ field }, index) => ({ field, value: position.key[index] ?? null }));
    if (keys.some(({ field, value }) => field in fixed && fixed[field] !== value)) return undefined;
    return keys.filter(({ field }) => !(field in fixed)).map(({ field, value }) => equals(field, value));
  }

  /**
   * Returns where a walk in ascending order by time may stop: rows after this position are newer than the snapshot.
   * Undefined for other orders.
   */
  endAt(timeMs: number | undefined): SortPosition | undefined {
    const { field, descending } = this.first;
    if (timeMs === undefined || descending || !TIMES.includes(field)) return undefined;
    if (Number(this.range?.max ?? Infinity) <= timeMs) return undefined;
    return { key: [timeMs], id: LAST_ID };
  }

  /** Returns the ranges from the first row with this value of the first key. */
  from(value: KeyValue): Range[] {
    const orderBy = this.terms(1, false);
    const same: UnorderedRange = { conditions: [equals(this.first.field, value)] };
    const later = this.laterRanges(0, { key: [value], id: '' }, {}, undefined);
    return [same, ...later].map((range) => ({ ...range, orderBy }));
  }

  /**
   * Order of the index of the first key. Rows with equal values may be listed in another order. On PostgreSQL, nullable
   * columns have a separate index for the descending order.
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
   * True if `reversed` in row-scan.ts splits ranges: the only key descends, and its index may have descending ids among
   * equal values. False for a whole list on PostgreSQL, because PostgreSQL sorts ids incrementally. In a range,
   * PostgreSQL expects few rows and would sort them all.
   */
  get isReversed(): boolean {
    const isSorted = this.dialect === 'postgres' && this.bounds === undefined;
    return !isSorted && this.keys.length === 1 && this.first.descending;
  }

  private get first(): Key {
    const [first] = this.keys;
    if (first === undefined) throw new Error('An ordering needs at least one key.');
    return first;
  }

  commonKeys(a: PositionTerms, b: PositionTerms): number {
    const different = a.key.findIndex((value, index) => value !== b.key[index]);
    return different === -1 ? this.keys.length : different;
  }

  /** Returns the ranges of rows that share the first keys, but have a later value of the next key. Nulls come last. */
  private laterRanges(
    shared: number,
    position: PositionTerms,
    fixed: Values,
    upTo: PositionTerms | undefined,
  ): UnorderedRange[] {
    const key = this.keys[shared];
    if (key === undefined) {
      const greater = compares('id', '>', position.id);
      return [{ conditions: [greater], end: upTo && compares('id', '<=', upTo.id) }];
    }
    const value = position.key[shared] ?? null;
    const known = fixed[key.field];
    if (known !== undefined) {
      return compareValues(known, value as KeyValue, key.descending) > 0 ? [{ conditions: [] }] : [];
    }
    if (value === null) return [];
    const conditions = [compares(key.field, key.descending ? '<' : '>', value)];
    const descending = this.isReversed ? key.field : undefined;
    const limit = upTo?.key[shared] ?? null;
    if (limit !== null) {
      return [{ conditions, end: compares(key.field, key.descending ? '>=' : '<=', limit), descending }];
    }
    const bounds = shared === 0 ? this.bounds : undefined;
    const later: UnorderedRange = { conditions, end: bounds?.end, descending };
    return key.nullable && bounds === undefined ? [later, { conditions: [equals(key.field, null)] }] : [later];
  }

  /** @param pinned Number of leading sort keys that are either always or never null within the range. */
  private terms(pinned: number, backward: boolean): string {
    // SQLite indexes have nulls first and do not serve a NULLS clause. Pinned keys need no such clause.
    const terms = this.keys.map((key, index) =>
      this.term(key, backward, !(this.dialect === 'sqlite' && index < pinned)),
    );
    return [...terms, idOrder(backward)].join(', ');
  }

  private term({ field, descending, nullable }: Key, backward: boolean, placeNulls: boolean): string {
    const direction = descending === backward ? 'ASC' : 'DESC';
    const nulls = nullable && placeNulls ? ` NULLS ${backward ? 'FIRST' : 'LAST'}` : '';
    return `${sqlName(field)} ${direction}${nulls}`;
  }
}

/** Either bound also excludes null keys. */
function boundsOf({ field, min, max, below }: ListRange, descending: boolean): NonNullable<Ordering['bounds']> {
  const lower = min === undefined ? undefined : compares(field, '>=', min);
  const last = max === undefined ? undefined : compares(field, '<=', max);
  const upper = below === undefined ? last : compares(field, '<', below);
  return descending ? { start: upper, end: lower } : { start: lower, end: upper };
}

function idOrder(backward: boolean): string {
  return `id ${backward ? 'DESC' : 'ASC'}`;
}

function compares(column: string, operator: string, value: string | number | Slot): Condition {
  return (params) => `${sqlName(column)} ${operator} ${params.add(value)}`;
}

export function equals(column: string, value: KeyValue | Slot): Condition {
  return (params) => (value === null ? `${sqlName(column)} IS NULL` : `${sqlName(column)} = ${params.add(value)}`);
}

function compareValues(a: KeyValue, b: KeyValue, descending: boolean): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  const order = typeof a === 'string' && typeof b === 'string' ? compareText(a, b) : a < b ? -1 : 1;
  return descending ? -order : order;
}

/**
 * Compares by code point, as both databases do. The operator `<` compares UTF-16 code units, so surrogates would come
 * too early.
 */
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
