import pg from 'pg';
import type { RowValues, SqlValue } from '../database/database.js';
import type { PreparedStatement, StatementColumns, TypeParser } from '../database/prepared-texts.js';

const INT8_OID = pg.types.builtins.INT8;

type TypeId = Parameters<typeof pg.types.getTypeParser>[0];

/** Parses bigint as number: counters, times and money are far below 2^53. */
export const postgresTypes = {
  getTypeParser: ((oid: TypeId, format?: 'text' | 'binary') =>
    oid === INT8_OID ? Number : (pg.types.getTypeParser(oid, format) as unknown)) as typeof pg.types.getTypeParser,
};

const PARSED = 'parseComplete';

interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: TypeId }[];
}
interface DataRow {
  readonly fields: readonly (string | null)[];
}

/**
 * Replaces the driver's `Query`. Requests the columns of a statement once per connection and creates fewer objects. The
 * driver accepts any object with these methods. ADR 56
 */
export class PostgresQuery {
  callback: (error?: unknown) => void = () => undefined;
  readonly rows: RowValues[] = [];
  private readonly values: (string | Buffer | null)[];
  private failure: unknown;
  private connection: pg.Connection | undefined;
  private readonly parsed = (): void => {
    this.statement.isParsed = true;
  };

  /** @param query_timeout In milliseconds. The driver reads this property. */
  constructor(
    private readonly statement: PreparedStatement,
    params: readonly SqlValue[],
    readonly query_timeout?: number,
  ) {
    this.values = params.map(parameterOf);
  }

  get named(): object[] {
    const names = this.statement.columns?.names ?? [];
    return this.rows.map((values) => {
      const row: Record<string, SqlValue> = {};
      for (let index = 0; index < names.length; index += 1) row[names[index] ?? ''] = values[index] ?? null;
      return row;
    });
  }

  submit(connection: pg.Connection): void {
    const { stream } = connection;
    const { name = '', text, columns, isParsed = false } = this.statement;
    stream.cork();
    try {
      if (!isParsed) connection.parse({ name, text, types: [] }, true);
      if (!isParsed && name !== '') {
        this.connection = connection;
        connection.once(PARSED, this.parsed);
      }
      connection.bind({ statement: name, values: this.values }, true);
      if (columns === undefined) connection.describe({ type: 'P', name: '' }, true);
      connection.execute({}, true);
      connection.sync();
    } finally {
      stream.uncork();
    }
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.statement.columns = {
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) => postgresTypes.getTypeParser(dataTypeID, 'text') as TypeParser),
    };
  }

  handleDataRow({ fields }: DataRow): void {
    try {
      this.rows.push(valuesOf(fields, this.statement.columns));
    } catch (error) {
      this.failure = error;
    }
  }

  handleCommandComplete(): void {
    // A statement without result columns gets no row description.
    this.statement.columns ??= { names: [], parsers: [] };
  }

  handleReadyForQuery(): void {
    this.callback(this.failure);
  }

  handleError(error: unknown): void {
    this.connection?.off(PARSED, this.parsed);
    this.callback(error);
  }

  handleEmptyQuery(): void {
    // handleReadyForQuery() ends an empty query too.
  }

  handlePortalSuspended(): void {
    throw new Error('PostgreSQL suspended a statement without a row limit.');
  }
}

function valuesOf(fields: DataRow['fields'], columns: StatementColumns | undefined): SqlValue[] {
  const parsers = columns?.parsers ?? [];
  const values = new Array<SqlValue>(fields.length);
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index] ?? null;
    values[index] = field === null ? null : (parsers[index]?.(field) as SqlValue);
  }
  return values;
}

function parameterOf(value: SqlValue | undefined): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return `{${value.join(',')}}`;
}
