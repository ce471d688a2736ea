import { type MaybePromise, thenMaybe } from '@items/conventions';
import type { Dialect } from '../schema/dialect.js';
import type { RowValues, SqlValue, ValueReader } from '../database/database.js';
import type { Bindings } from '../definition/bindings.js';

/** Rows, and the value of an expression at the moment that they are of. */
export interface RowsBeside {
  readonly rows: readonly RowValues[];
  readonly value: SqlValue;
}

/**
 * A SELECT of the rows of a page and, at the same moment, of the value of an expression, which comes also where there is
 * no row. ADR 56
 */
export class PageStatement {
  private readonly statement: Statement;

  /** @param columns of the rows. @param rows a SELECT of them, in any order. */
  constructor(
    private readonly dialect: Dialect,
    columns: readonly string[],
    expression: (params: Parameters) => string,
    rows: (params: Parameters) => string,
  ) {
    const write = dialect === 'sqlite' ? rowsBesideSql : textBesideSql;
    this.statement = new Statement((params) => write(columns, expression(params), rows(params)));
  }

  /** In no order. */
  read(reader: ValueReader, bindings: Bindings): MaybePromise<RowsBeside> {
    const found = reader.readValues(this.statement.sql, this.statement.params.bound(bindings));
    return thenMaybe(found, this.dialect === 'sqlite' ? rowsBeside : rowsOfText);
  }
}

function rowsBesideSql(columns: readonly string[], value: string, rows: string): string {
  const named = columns.map((column) => `page.${column}`).join(', ');
  return `SELECT ${named}, beside.value AS "value beside" FROM (SELECT ${value} AS value) beside
    LEFT JOIN (${rows}) page ON TRUE`;
}

/**
 * All values in one: the driver of PostgreSQL makes each value by itself, at twice the cost of JSON.parse. A list for each
 * column, which costs the server less than one for each row.
 */
function textBesideSql(columns: readonly string[], value: string, rows: string): string {
  const lists = columns.map((column) => `json_agg(${column})::text`).join(" || ',' || ");
  return `SELECT ${value} AS value, (SELECT '[' || ${lists} || ']' FROM (${rows}) page) AS page`;
}

function rowsBeside(found: readonly RowValues[]): RowsBeside {
  const [first] = found;
  if (first === undefined) throw noRow();
  const value = first.at(-1) ?? null;
  return { rows: first[0] === null ? [] : found, value };
}

function rowsOfText([found]: readonly RowValues[]): RowsBeside {
  if (found === undefined) throw noRow();
  const [value = null, text] = found;
  // No rows make no lists, and these no text.
  return { rows: typeof text === 'string' ? rowsOf(JSON.parse(text) as SqlValue[][]) : [], value };
}

function rowsOf(columns: readonly (readonly SqlValue[])[]): RowValues[] {
  const [first = []] = columns;
  return first.map((_, index) => columns.map((column) => column[index] ?? null));
}

function noRow(): Error {
  return new Error('The database returned no row for an expression.');
}

/** A parameter whose value is known when the statement runs. */
export type Slot = (bindings: Bindings) => SqlValue;

/** Collects the parameters of a statement while its text is put together. */
export class Parameters {
  private readonly parts: (SqlValue | Slot)[] = [];

  /** @returns the placeholder of the value. */
  add(value: SqlValue | Slot): string {
    this.parts.push(value);
    return `$${String(this.parts.length)}`;
  }

  /** Of a statement without slots. */
  get values(): SqlValue[] {
    return this.bound({});
  }

  /** In the order of their placeholders. */
  bound(bindings: Bindings): SqlValue[] {
    const values: SqlValue[] = [];
    for (const part of this.parts) values.push(typeof part === 'function' ? part(bindings) : part);
    return values;
  }
}

/** A statement that is put together once, and run with other bindings each time. */
export class Statement {
  readonly params = new Parameters();
  readonly sql: string;

  constructor(write: (params: Parameters) => string) {
    this.sql = write(this.params);
  }
}
