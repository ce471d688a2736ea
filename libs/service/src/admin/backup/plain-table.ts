import type pg from 'pg';

import { quoted } from '../../data/schema/quoted.js';
import { OperationError } from '../session/operation-error.js';

/** A table of PostgreSQL without computed columns and {@link OBSTACLES}, such as foreign keys or triggers. */
export interface PlainTable {
  readonly columns: readonly PlainColumn[];
  readonly keys: readonly PlainKey[];
}

interface PlainColumn {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly default?: string;
  readonly numbered?: 'identity' | 'serial';
}

interface PlainKey {
  readonly kind: 'PRIMARY KEY' | 'UNIQUE' | 'INDEX';
  readonly columns: readonly string[];
}

const TYPE = /^[a-z][a-z0-9_ ]*(?:\(\d+(?:,\d+)?\))?(?: with(?:out)? time zone)?(?:\[\])?$/;
const DEFAULT =
  /^(?:now\(\)|CURRENT_TIMESTAMP|gen_random_uuid\(\)|true|false|-?\d+(?:\.\d+)?|'(?:[^'\\]|'')*'(?:::[a-z][a-z0-9_ ]*(?:\(\d+(?:,\d+)?\))?)?)$/;
const SERIALS: Readonly<Record<string, string>> = { smallint: 'smallserial', integer: 'serial', bigint: 'bigserial' };
const KINDS: Readonly<Record<string, PlainKey['kind']>> = { p: 'PRIMARY KEY', u: 'UNIQUE' };

/** Reasons why a table is not plain. The query of an applicable reason returns a row. */
const OBSTACLES: Readonly<Record<string, string>> = {
  'a foreign key': "SELECT 1 FROM pg_constraint WHERE contype = 'f' AND $1::regclass IN (conrelid, confrelid)",
  'a check': "SELECT 1 FROM pg_constraint WHERE contype IN ('c', 'x') AND conrelid = $1::regclass",
  'a trigger': 'SELECT 1 FROM pg_trigger WHERE NOT tgisinternal AND tgrelid = $1::regclass',
  partitions: "SELECT 1 FROM pg_class WHERE (relkind <> 'r' OR relhassubclass) AND oid = $1::regclass",
  'row-level security': 'SELECT 1 FROM pg_class WHERE relrowsecurity AND oid = $1::regclass',
  'a type of its own': `SELECT 1 FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
    WHERE attrelid = $1::regclass AND attnum > 0 AND typnamespace <> 'pg_catalog'::regnamespace`,
  'an index of an expression, of a part of the rows, or in another order': `SELECT 1 FROM pg_index
    JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_am ON pg_am.oid = relam
    WHERE indrelid = $1::regclass AND (indexprs IS NOT NULL OR indpred IS NOT NULL OR amname <> 'btree' OR indoption::text ~ '[1-9]')`,
};

/** @throws {OperationError} the table is not plain; the message names the reason. */
export async function describePlainTable(client: pg.Client, schema: string, table: string): Promise<PlainTable> {
  const name = `${quoted(schema)}.${quoted(table)}`;
  const refuse = (reason: string): never => {
    throw new OperationError(`The table ${table} cannot be included, because it has ${reason}: back it up by pg_dump.`);
  };
  for (const [reason, sql] of Object.entries(OBSTACLES)) {
    if ((await client.query(sql, [name])).rows.length > 0) refuse(reason);
  }
  const columns = (await columnsOf(client, name)).map(({ generated, expression, identity, ...column }): PlainColumn => {
    const isSerial = expression?.startsWith('nextval(') === true && column.type in SERIALS;
    if (generated !== '') refuse('a computed column');
    if (!TYPE.test(column.type)) refuse(`the type ${column.type}`);
    if (expression !== null && !isSerial && !DEFAULT.test(expression)) refuse(`the default ${expression}`);
    const isRequired = column.required === 'true';
    if (identity !== '') return { ...column, required: isRequired, numbered: 'identity' };
    if (isSerial) return { ...column, required: isRequired, numbered: 'serial' };
    return { ...column, required: isRequired, ...(expression !== null && { default: expression }) };
  });
  return { columns, keys: await keysOf(client, name) };
}

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly required: string;
  readonly expression: string | null;
  readonly identity: string;
  readonly generated: string;
}

async function columnsOf(client: pg.Client, name: string): Promise<ColumnRow[]> {
  const sql = `SELECT attname AS name, format_type(atttypid, atttypmod) AS type, CASE WHEN attnotnull THEN 'true' ELSE 'false' END AS required,
      pg_get_expr(adbin, adrelid) AS expression, attidentity::text AS identity, attgenerated::text AS generated
    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`;
  return (await client.query<ColumnRow>(sql, [name])).rows;
}

async function keysOf(client: pg.Client, name: string): Promise<PlainKey[]> {
  const sql = `SELECT coalesce(contype::text, CASE WHEN indisunique THEN 'u' ELSE 'i' END) AS kind,
      (SELECT json_agg(attname ORDER BY position) FROM unnest(indkey) WITH ORDINALITY AS part(number, position)
        JOIN pg_attribute ON attrelid = indrelid AND attnum = number)::text AS columns
    FROM pg_index LEFT JOIN pg_constraint ON conindid = indexrelid AND contype IN ('p', 'u')
    WHERE indrelid = $1::regclass ORDER BY indexrelid`;
  const { rows } = await client.query<{ kind: string; columns: string }>(sql, [name]);
  return rows.map(({ kind, columns }) => ({
    kind: KINDS[kind] ?? 'INDEX',
    columns: JSON.parse(columns) as string[],
  }));
}

/** @param name Quoted name of the new table. */
export function plainTableStatements(name: string, { columns, keys }: PlainTable): string[] {
  const parts = columns.map(({ name: column, type, required, default: expression, numbered }) =>
    [
      quoted(column),
      numbered === 'serial' ? SERIALS[type] : type,
      ...(numbered === 'identity' ? ['GENERATED BY DEFAULT AS IDENTITY'] : []),
      ...(expression === undefined ? [] : [`DEFAULT ${expression}`]),
      ...(required ? ['NOT NULL'] : []),
    ].join(' '),
  );
  const listed = (names: readonly string[]): string => names.map(quoted).join(', ');
  const constraints = keys.filter(({ kind }) => kind !== 'INDEX').map((key) => `${key.kind} (${listed(key.columns)})`);
  return [
    `CREATE TABLE ${name} (${[...parts, ...constraints].join(', ')})`,
    ...keys.filter(({ kind }) => kind === 'INDEX').map((key) => `CREATE INDEX ON ${name} (${listed(key.columns)})`),
  ];
}

/** Validates a description from a file, to prevent SQL injection into the statements. */
export function isPlainTable(value: unknown): value is PlainTable {
  const { columns, keys } = (value ?? {}) as Partial<PlainTable>;
  if (!Array.isArray(columns) || !Array.isArray(keys)) return false;
  return (columns as Partial<PlainColumn>[]).every(isPlainColumn) && (keys as Partial<PlainKey>[]).every(isPlainKey);
}

function isPlainColumn({ name, type, default: expression, numbered }: Partial<PlainColumn>): boolean {
  if (typeof name !== 'string' || typeof type !== 'string' || !TYPE.test(type)) return false;
  if (numbered === 'serial' && SERIALS[type] === undefined) return false;
  return expression === undefined || (typeof expression === 'string' && DEFAULT.test(expression));
}

function isPlainKey({ kind, columns }: Partial<PlainKey>): boolean {
  if (kind !== 'PRIMARY KEY' && kind !== 'UNIQUE' && kind !== 'INDEX') return false;
  return Array.isArray(columns) && columns.every((column) => typeof column === 'string');
}
