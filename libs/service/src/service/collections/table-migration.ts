import { definitionOf, type DtoClass, type FieldDefinition } from '@items/fields';
import type { QueryRunner } from 'typeorm';

import type { DatabaseSchema } from '../../data/database/database-options.js';
import type { CollectionDefinition } from '../../data/definition/collection.js';
import { groupsPrefix } from '../../data/lists/totals.js';
import type { Dialect } from '../../data/schema/dialect.js';
import { sqlName } from '../../data/schema/quoted.js';
import { type CollectionSchema, Schema } from '../../data/schema/schema.js';
import { recordStatements } from './collection-record.js';

/** Time in a migration's name: after migrations of the service, and before those of the app. */
const MADE_AT = '1763000009000';

/** The part of a definition that determines the tables of a collection. */
export type TableDefinition = Pick<
  CollectionDefinition<never, never>,
  'name' | 'parent' | 'foreignKey' | 'references' | 'unique' | 'sortable' | 'filters' | 'countedFilters' | 'computed'
> & { readonly dto: DtoClass };

export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  /** SQL expression of the value in existing rows. */
  readonly initial: string;
}

/** @param includes migrations of the program, whose changes the new table already has. */
export function tableMigration(
  definition: TableDefinition,
  includes: readonly string[] = [],
): DatabaseSchema['migrations'][number] {
  const { name: table } = definition;
  return migrationNamed(`Create_${table}_${MADE_AT}`, async (runner) => {
    const schema = new Schema(runner);
    await schema.createCollection(tableSchema(schema, definition));
    await schema.run(...recordStatements(table, { includes }));
  });
}

/** Makes a class for a migration, because TypeORM records class names. */
export function migrationNamed(
  name: string,
  up: (runner: QueryRunner) => Promise<void>,
): DatabaseSchema['migrations'][number] {
  class Made {
    readonly name = name;
    readonly up = up;
  }
  Object.defineProperty(Made, 'name', { value: name });
  return Made;
}

function tableSchema(schema: Schema, definition: TableDefinition): CollectionSchema {
  const { name: table, parent, foreignKey, references = [], unique = [], sortable, filters } = definition;
  const columns = columnsOf(schema, definition);
  return {
    table,
    columns: columns.map(({ name, type, nullable }) => `${sqlName(name)} ${type}${nullable ? '' : ' NOT NULL'}`),
    sortable: sortable.map((column) => {
      const isNullable = columns.some(({ name, nullable }) => name === column && nullable);
      return { column, ...(isNullable && { nullable: true, ties: true }) };
    }),
    filters: Object.keys(filters),
    // The parent needs no index: the list indexes of a nested collection begin with the parent.
    references: references
      .filter(({ isParent, onDelete }) => !isParent && onDelete === 'refuse')
      .map(({ column }) => column),
    unique,
    ...(parent !== undefined && { parent }),
    ...(foreignKey !== undefined && {
      constraints: [`FOREIGN KEY (${sqlName(String(parent))}) REFERENCES ${foreignKey.table} (id)`],
    }),
  };
}

export function columnsOf(schema: Schema, { parent, dto, computed }: TableDefinition): readonly TableColumn[] {
  const fields = [...definitionOf(dto).fields].filter(([name]) => name !== parent);
  const own = fields.map(([name, field]): TableColumn => {
    const { absence } = field;
    return {
      name,
      type: sqlType(schema, field),
      // A computed column is null in older rows until the service has filled it.
      nullable: absence === 'null' || absence === 'kept or cleared' || computed?.names.includes(name) === true,
      initial: initialOf(field),
    };
  });
  return parent === undefined ? own : [{ name: parent, type: schema.id, nullable: false, initial: "''" }, ...own];
}

function sqlType({ text, int, float }: Schema, { kind, schema }: FieldDefinition): string {
  if (kind === 'flag') return 'smallint';
  if (kind !== 'plain') return int;
  if (schema['type'] === 'integer') return int;
  return schema['type'] === 'number' ? float : text;
}

/** Returns the default of the field, else its first choice, else an empty value. */
function initialOf({ kind, absence, schema }: FieldDefinition): string {
  const { type, enum: words } = schema;
  const value =
    typeof absence === 'object' ? absence.value : Array.isArray(words) ? (words as unknown[])[0] : undefined;
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (kind !== 'plain' || type === 'integer' || type === 'number') return String(Number(value ?? 0));
  const text = typeof value === 'string' ? value : type === 'array' ? '[]' : '';
  return `'${text.replaceAll("'", "''")}'`;
}

const CREATE_INDEX = /^CREATE (?:UNIQUE )?INDEX "?([^" ]+)"? ON /;

/** Returns statements that count totals again. @param filters names of new or changed filters. */
export function countsOf(
  dialect: Dialect,
  { name: table, countedFilters }: TableDefinition,
  filters: readonly string[],
): string[] {
  const json =
    dialect === 'sqlite'
      ? (name: string) => `json_quote(${sqlName(name)})`
      : (name: string) => `to_json(${sqlName(name)})`;
  return countedFilters
    .filter((fields) => fields.some((field) => filters.includes(field)))
    .flatMap((fields) => {
      const prefix = groupsPrefix(fields);
      const group = `'${prefix}[' || ${fields.map(json).join(" || ',' || ")} || ']]'`;
      const known = fields.map((field) => `${sqlName(field)} IS NOT NULL`).join(' AND ');
      return [
        `DELETE FROM collection_counts WHERE collection = '${table}' AND substr(grp, 1, ${String(prefix.length)}) = '${prefix}'`,
        `INSERT INTO collection_counts (collection, grp, lane, n) SELECT '${table}', ${group}, 0, count(*) FROM ${sqlName(table)} ` +
          `WHERE ${known} GROUP BY ${fields.map(sqlName).join(', ')}`,
      ];
    });
}

export async function indexesOf(
  dialect: Dialect,
  definition: TableDefinition,
): Promise<readonly (readonly [string, string])[]> {
  const { schema, statements } = schemaFor(dialect);
  await schema.createCollection(tableSchema(schema, definition));
  return statements.flatMap((sql) => {
    const [, name] = CREATE_INDEX.exec(sql) ?? [];
    return name === undefined ? [] : [[name, sql] as const];
  });
}

export interface ChangedColumn extends TableColumn {
  /** SQL expression of the new value. */
  readonly sql: string;
}

/** Replaces columns, because SQLite cannot change them. @param suffix of a new column until it is renamed. */
export async function remakeColumns(
  schema: Schema,
  table: string,
  columns: readonly ChangedColumn[],
  suffix: string,
): Promise<void> {
  const statements = columns.flatMap(({ name, type, nullable, initial, sql }) =>
    [table, `${table}_versions`]
      .map(sqlName)
      .flatMap((each) => [
        `ALTER TABLE ${each} ADD COLUMN ${name}${suffix} ${type}${nullable ? '' : ` NOT NULL DEFAULT ${initial}`}`,
        `UPDATE ${each} SET ${name}${suffix} = ${sql}`,
        `ALTER TABLE ${each} DROP COLUMN ${sqlName(name)}`,
        `ALTER TABLE ${each} RENAME COLUMN ${name}${suffix} TO ${sqlName(name)}`,
      ]),
  );
  await schema.rewriteRows(table, ...statements);
}

/** @param sql creates an index. */
export function usesColumn(sql: string, columns: readonly TableColumn[]): boolean {
  const indexed = sql.slice(sql.indexOf('('));
  return columns.some(({ name }) => new RegExp(`[(, "]${name}[, ")]`).test(indexed));
}

/** Collects statements instead of running them. */
export function schemaFor(dialect: Dialect): { readonly schema: Schema; readonly statements: string[] } {
  const statements: string[] = [];
  const runner = {
    dataSource: { options: { type: dialect === 'postgres' ? 'postgres' : 'better-sqlite3' } },
    query: (sql: string) => Promise.resolve(statements.push(sql)),
  };
  return { schema: new Schema(runner as unknown as QueryRunner), statements };
}
