import { type MaybePromise, thenMaybe } from '@items/conventions';
import type { Dialect } from '../schema/dialect.js';
import type { RowValues, SqlValue, ValueReader } from '../database/database.js';
import { sqlName } from '../schema/quoted.js';

export type KeyValue = string | number | null;

export interface SortPosition {
  readonly key: readonly KeyValue[];
  readonly id: string;
}

export interface Snapshot {
  readonly clocks: readonly number[];
  /** Detects a restored backup that reaches the same clocks again. See schema/epochs.ts. */
  readonly epoch: string;
}

export interface Bindings {
  /** `after` is exclusive, and `upTo` is inclusive. */
  readonly after?: SortPosition | undefined;
  readonly upTo?: SortPosition | undefined;
  readonly snapshot?: Snapshot | undefined;
  readonly skip?: number | undefined;
}

export interface RowsAndValue {
  readonly rows: readonly RowValues[];
  readonly value: SqlValue;
}

export type Read<Result> = (reader: ValueReader, bindings: Bindings) => MaybePromise<Result>;

/**
 * Selects, as of one moment, the rows of a page in undefined order, and an expression. The expression is returned even
 * without rows. ADR 56
 */
export function pageStatement(
  dialect: Dialect,
  columns: readonly string[],
  expression: (params: Parameters) => string,
  rows: (params: Parameters) => string,
): { readonly statement: Statement; readonly parse: (found: readonly RowValues[]) => RowsAndValue } {
  const [write, parse] = dialect === 'sqlite' ? [rowsWithValueSql, rowsAndValue] : [textWithValueSql, rowsOfText];
  return { statement: new Statement((params) => write(columns, expression(params), rows(params))), parse };
}

function rowsWithValueSql(columns: readonly string[], value: string, rows: string): string {
  const named = columns.map((column) => `page.${sqlName(column)}`).join(', ');
  return `SELECT ${named}, beside.value AS "value beside" FROM (SELECT ${value} AS value) beside
    LEFT JOIN (${rows}) page ON TRUE`;
}

/**
 * Selects the page as JSON, because `JSON.parse` takes half the time that the driver `pg` takes to parse single values.
 * A list per column costs the server less than a list per row.
 */
function textWithValueSql(columns: readonly string[], value: string, rows: string): string {
  const lists = columns.map((column) => `json_agg(${sqlName(column)})::text`).join(" || ',' || ");
  return `SELECT ${value} AS value, (SELECT '[' || ${lists} || ']' FROM (${rows}) page) AS page`;
}

function rowsAndValue(found: readonly RowValues[]): RowsAndValue {
  const [first] = found;
  if (first === undefined) throw noRow();
  return { rows: first[0] === null ? [] : found, value: first.at(-1) ?? null };
}

function rowsOfText([found]: readonly RowValues[]): RowsAndValue {
  if (found === undefined) throw noRow();
  const [value = null, text] = found;
  // json_agg returns null without rows.
  const columns = typeof text === 'string' ? (JSON.parse(text) as SqlValue[][]) : [];
  const [first = []] = columns;
  return { rows: first.map((_, index) => columns.map((column) => column[index] ?? null)), value };
}

function valueOf([row]: readonly RowValues[]): SqlValue {
  if (row === undefined) throw noRow();
  return row[0] ?? null;
}

function noRow(): Error {
  return new Error('The database returned no row for an expression.');
}

/** A parameter that is bound when the statement runs. */
export type Slot = (bindings: Bindings) => SqlValue;

export class Parameters {
  private readonly parts: (SqlValue | Slot)[] = [];

  add(value: SqlValue | Slot): string {
    this.parts.push(value);
    return `$${String(this.parts.length)}`;
  }

  get values(): SqlValue[] {
    return this.bound({});
  }

  bound(bindings: Bindings): SqlValue[] {
    const values: SqlValue[] = [];
    for (const part of this.parts) values.push(typeof part === 'function' ? part(bindings) : part);
    return values;
  }
}

export class Statement {
  private readonly params = new Parameters();
  private readonly sql: string;

  constructor(write: (params: Parameters) => string) {
    this.sql = write(this.params);
  }

  read(reader: ValueReader, bindings: Bindings = {}): MaybePromise<RowValues[]> {
    return reader.readValues(this.sql, this.params.bound(bindings));
  }

  readValue(reader: ValueReader, bindings: Bindings = {}): MaybePromise<SqlValue> {
    return thenMaybe(this.read(reader, bindings), valueOf);
  }
}
