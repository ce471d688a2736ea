import { hash } from 'node:crypto';

import type { Dialect } from '../../data/schema/dialect.js';
import { quoted, sqlName } from '../../data/schema/quoted.js';
import { conversion } from './conversion.js';
import type { Migration } from './migration.js';
import type { TypeChange } from './stored-types.js';
import { columnsOf, type TableColumn, type TableDefinition } from './table-migration.js';
import { countsOf, indexesOf, schemaFor } from './table-statements.js';

interface ConvertedColumn extends TableColumn {
  readonly sql: string;
}

/** @returns undefined if there is no conversion between two of the types. */
export async function conversionMigration(
  definition: TableDefinition,
  changes: readonly TypeChange[],
): Promise<Migration | undefined> {
  const { name: collection } = definition;
  const [sqlite, postgres] = [
    convertedColumns('sqlite', definition, changes),
    convertedColumns('postgres', definition, changes),
  ];
  if (sqlite === undefined || postgres === undefined) return undefined;
  const fields = [...new Set(changes.map(({ field }) => field))];
  // A later conversion of the same fields needs another name.
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
): readonly ConvertedColumn[] | undefined {
  const changed = new Map(changes.map((change) => [change.field, change]));
  const columns = columnsOf(schemaFor(dialect).schema, definition).flatMap((column) => {
    const change = changed.get(column.name);
    return change === undefined
      ? []
      : [{ ...column, sql: conversion(dialect, sqlName(column.name), change, column.initial) }];
  });
  return columns.every((column): column is ConvertedColumn => column.sql !== undefined) ? columns : undefined;
}

function sqlOfPostgres(table: string, columns: readonly ConvertedColumn[]): string[] {
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

/** SQLite cannot change the type of a column, so each gets a new one. */
async function sqliteStatements(definition: TableDefinition, columns: readonly ConvertedColumn[]): Promise<string[]> {
  const { name: table } = definition;
  const { schema, statements } = schemaFor('sqlite');
  const indexes = (await indexesOf('sqlite', definition)).filter(([, sql]) =>
    columns.some(({ name }) => new RegExp(`[(, "]${name}[, ")]`).test(sql.slice(sql.indexOf('(')))),
  );
  await schema.run(...indexes.map(([index]) => `DROP INDEX ${quoted(index)}`));
  await schema.unguardRows(table);
  for (const { name, type, nullable, initial, sql } of columns) {
    const made = `${name}_new`;
    for (const each of [table, `${table}_versions`].map(sqlName)) {
      await schema.run(
        `ALTER TABLE ${each} ADD COLUMN ${made} ${type}${nullable ? '' : ` NOT NULL DEFAULT ${initial}`}`,
        `UPDATE ${each} SET ${made} = ${sql}`,
        `ALTER TABLE ${each} DROP COLUMN ${sqlName(name)}`,
        `ALTER TABLE ${each} RENAME COLUMN ${made} TO ${sqlName(name)}`,
      );
    }
  }
  await schema.guardRows(table);
  await schema.run(
    ...indexes.map(([, sql]) => sql),
    ...countsOf(
      'sqlite',
      definition,
      columns.map(({ name }) => name),
    ),
  );
  return statements;
}
