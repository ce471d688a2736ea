import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import type { Dialect } from '../../data/schema/dialect.js';
import { quoted, sqlName } from '../../data/schema/quoted.js';
import type { Migration } from '../composition/composition.js';
import type { StoredType, TypeChange } from './stored-types.js';
import {
  type ChangedColumn,
  columnsOf,
  countsOf,
  indexesOf,
  remakeColumns,
  schemaFor,
  type TableDefinition,
  usesColumn,
} from './table-migration.js';

/** @returns undefined if a change has no conversion. */
export async function conversionMigration(
  definition: TableDefinition,
  changes: readonly TypeChange[],
): Promise<Migration | undefined> {
  const { name: collection } = definition;
  const sqlite = convertedColumns('sqlite', definition, changes);
  const postgres = convertedColumns('postgres', definition, changes);
  if (sqlite === undefined || postgres === undefined) return undefined;
  const fields = [...new Set(changes.map(({ field }) => field))];
  // Append a hash: the same fields may be converted again, and each migration needs its own name.
  const version = hash('sha256', JSON.stringify(changes), 'hex').slice(0, 5);
  return {
    name: `${[collection, 'convert', ...fields].join('_').slice(0, 90)}_${version}`,
    collection,
    converts: fields,
    sqlite: await sqliteStatements(definition, sqlite),
    postgres: [...sqlOfPostgres(collection, postgres), ...countsOf('postgres', definition, fields)],
  };
}

function convertedColumns(
  dialect: Dialect,
  definition: TableDefinition,
  changes: readonly TypeChange[],
): readonly ChangedColumn[] | undefined {
  const changed = new Map(changes.map((change) => [change.field, change]));
  const columns = columnsOf(schemaFor(dialect).schema, definition).flatMap((column) => {
    const change = changed.get(column.name);
    return change === undefined
      ? []
      : [{ ...column, sql: conversion(dialect, sqlName(column.name), change, column.initial) }];
  });
  return columns.every((column): column is ChangedColumn => column.sql !== undefined) ? columns : undefined;
}

function sqlOfPostgres(table: string, columns: readonly ChangedColumn[]): string[] {
  return [table, `${table}_versions`].map((each) => {
    const actions = columns.flatMap(({ name, type, nullable, sql }) => {
      const column = `ALTER COLUMN ${sqlName(name)}`;
      return [
        `${column} DROP DEFAULT`,
        `${column} TYPE ${type} USING ${sql}`,
        ...(nullable ? [] : [`${column} SET NOT NULL`]),
      ];
    });
    return `ALTER TABLE ${sqlName(each)} ${actions.join(', ')}`;
  });
}

async function sqliteStatements(definition: TableDefinition, columns: readonly ChangedColumn[]): Promise<string[]> {
  const { name: table } = definition;
  const { schema, statements } = schemaFor('sqlite');
  const indexes = (await indexesOf('sqlite', definition)).filter(([, sql]) => usesColumn(sql, columns));
  await schema.run(...indexes.map(([index]) => `DROP INDEX ${quoted(index)}`));
  await remakeColumns(schema, table, columns, '_new');
  const names = columns.map(({ name }) => name);
  await schema.run(...indexes.map(([, sql]) => sql), ...countsOf('sqlite', definition, names));
  return statements;
}

type Convert = (value: string, dialect: Dialect) => string;

const TO_NUMBER: Readonly<Partial<Record<StoredType['kind'], Convert>>> = {
  Integer: (value) => value,
  Float: (value) => value,
  Money: (value) => `${value} / 100.0`,
  Flag: (value) => value,
  // json_extract() fails for a text that is no number; a cast of SQLite would return 0.
  Text: (value, dialect) => (dialect === 'sqlite' ? `json_extract(${value}, '$')` : `CAST(${value} AS numeric)`),
};
const FROM_NUMBER: Readonly<Partial<Record<StoredType['kind'], Convert>>> = {
  Integer: (value) => `CAST(round(${value}) AS bigint)`,
  Float: (value) => `CAST(${value} AS double precision)`,
  Money: (value) => `CAST(round(${value} * 100) AS bigint)`,
  Text: (value) => `CAST(${value} AS text)`,
};
const TIME_AS_TEXT: Readonly<Record<Dialect, (value: string) => string>> = {
  sqlite: (value) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${value} / 1000.0, 'unixepoch')`,
  postgres: (value) => `to_char(to_timestamp(${value} / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
};
const TEXT_AS_TIME: Readonly<Record<Dialect, (value: string) => string>> = {
  sqlite: (value) =>
    `coalesce(CAST(round(unixepoch(${value}, 'subsec') * 1000) AS bigint), json_extract(${value}, '$'))`,
  postgres: (value) => `CAST(extract(epoch FROM CAST(${value} AS timestamptz)) * 1000 AS bigint)`,
};

/**
 * @param value column with the former value.
 * @param initial replaces null in a field that is now required.
 * @returns undefined if there is no conversion.
 */
export function conversion(
  dialect: Dialect,
  value: string,
  { before, after }: { readonly before: StoredType; readonly after: StoredType },
  initial: string,
): string | undefined {
  const converted =
    before.kind === after.kind ? unlessJsonChanged(value, before, after) : convert(dialect, value, before, after);
  if (converted === undefined) return undefined;
  const fitting = fit(dialect, converted, after, before.nullable === true);
  return before.nullable && !after.nullable ? `coalesce(${fitting}, ${initial})` : fitting;
}

/** @returns undefined for a list or object of a changed type, because its stored JSON is not converted. */
function unlessJsonChanged(value: string, before: StoredType, after: StoredType): string | undefined {
  if (after.kind !== 'List' && after.kind !== 'Nested') return value;
  const { nullable: _, ...former } = before;
  const { nullable: __, ...now } = after;
  return isDeepStrictEqual(former, now) ? value : undefined;
}

function convert(dialect: Dialect, value: string, before: StoredType, after: StoredType): string | undefined {
  if (before.kind === 'DateTime' && after.kind === 'Text') return TIME_AS_TEXT[dialect](value);
  if (before.kind === 'Text' && after.kind === 'DateTime') return TEXT_AS_TIME[dialect](value);
  if (before.kind === 'Id' && after.kind === 'Text') return value;
  if (before.kind === 'Flag' && after.kind === 'Text')
    return `CASE ${value} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`;
  const number = TO_NUMBER[before.kind]?.(value, dialect);
  if (number === undefined) return undefined;
  if (before.kind === 'Money' && after.kind === 'Text') return `CAST(CAST(${number} AS double precision) AS text)`;
  return FROM_NUMBER[after.kind]?.(dialect === 'postgres' ? `CAST(${number} AS numeric)` : number, dialect);
}

/** Replaces values that the new type refuses: by a bound, the first choice, or a shorter text. */
function fit(dialect: Dialect, value: string, { kind, min, max, words }: StoredType, isNullable: boolean): string {
  const unlessNull = (sql: string): string =>
    isNullable ? `CASE WHEN ${value} IS NULL THEN NULL ELSE ${sql} END` : sql;
  if (words !== undefined) {
    const [first = "''", ...others] = words.map((word) => `'${word.replaceAll("'", "''")}'`);
    return unlessNull(`CASE WHEN ${value} IN (${[first, ...others].join(', ')}) THEN ${value} ELSE ${first} END`);
  }
  if (kind === 'Text') return max === undefined ? value : `substr(${value}, 1, ${String(max)})`;
  if ((kind !== 'Integer' && kind !== 'Float' && kind !== 'Money') || min === undefined || max === undefined)
    return value;
  const [least, most] = [min, max].map((bound) => String(kind === 'Money' ? Math.round(bound * 100) : bound));
  // PostgreSQL's least() and greatest() ignore null, and would return a bound.
  const range =
    dialect === 'sqlite' ? `min(max(${value}, ${least}), ${most})` : `least(greatest(${value}, ${least}), ${most})`;
  return unlessNull(range);
}
