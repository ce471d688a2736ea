import { isDeepStrictEqual } from 'node:util';

import type { Database } from '../../data/database/database.js';
import type { Dialect } from '../../data/schema/dialect.js';
import { quoted, shortName, sqlName } from '../../data/schema/quoted.js';
import { referenceIndex, type Schema } from '../../data/schema/schema.js';
import { uniquePrefix } from '../../data/definition/unique-keys.js';
import { StartRefusedError } from '../../data/definition/start-refused.js';

import { readRecord, writeRecord } from './collection-record.js';
import { conversionMigration } from './conversion-migration.js';
import type { Migration } from '../composition/composition.js';
import { storedConflicts } from './stored-conflicts.js';
import { storedTypes, typeChanges } from './stored-types.js';
import {
  columnsOf,
  countsOf,
  indexesOf,
  remakeColumns,
  schemaFor,
  type TableColumn,
  type TableDefinition,
  usesColumn,
} from './table-migration.js';
import { groupsPrefix } from '../../data/lists/totals.js';

interface Table {
  readonly columns: ReadonlyMap<string, boolean>;
  readonly indexes: ReadonlySet<string>;
}

/** Name and statement of an index. */
type Index = readonly [string, string];

interface Difference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Columns that lose NOT NULL. */
  readonly nowNullable: readonly string[];
  readonly indexes: readonly string[];
  /** Indexes of lists, to be dropped before columns: SQLite cannot drop a column that an index uses. */
  readonly formerIndexes: readonly string[];
  readonly formerKeys: readonly string[];
  /** Filters that have no stored totals yet. */
  readonly filters: readonly string[];
}

const COLUMNS = {
  sqlite: `SELECT name, 1 - "notnull" AS nullable FROM pragma_table_info($1)`,
  postgres: `SELECT attname AS name, CASE WHEN attnotnull THEN 0 ELSE 1 END AS nullable FROM pg_attribute
    WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
};
const INDEXES = {
  sqlite: "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name IN ($1, $2)",
  postgres: 'SELECT indexname AS name FROM pg_indexes WHERE schemaname = current_schema() AND tablename IN ($1, $2)',
};
const OF_EVERY_ROW = ['id', 'created_at', 'updated_at', 'lane', 'seq'];

/**
 * The definition of a collection has changed, but its table lacks the change. The message contains the migration to
 * copy.
 */
export class MissingMigrationError extends Error {
  declare readonly migration: Migration;

  constructor(sentences: readonly string[], migration: Migration) {
    super(
      `${sentences.join(' ')} Read this migration, change it where it is not ` +
        `what you want, and add it to "migrations" of startService():\n${JSON.stringify(migration, null, 2)}`,
    );
    this.name = 'MissingMigrationError';
    // Hide the property: Node would print the migration again below the message.
    Object.defineProperty(this, 'migration', { value: migration });
  }
}

export async function requireFittingTable(database: Database, definition: TableDefinition): Promise<void> {
  const table = await tableOf(database, definition.name);
  const fitting = await differenceOf(table, definition, database.dialect);
  const difference = { ...fitting, filters: [...fitting.filters, ...(await uncountedFilters(database, definition))] };
  if (Object.values(difference).every((names: readonly string[]) => names.length === 0))
    return requireRecordedTypes(database, definition);
  const migration = {
    name: nameOf(definition.name, difference),
    collection: definition.name,
    sqlite: await statementsFor('sqlite', definition, difference),
    postgres: await statementsFor('postgres', definition, difference),
  };
  const sentence = `The table of the collection "${definition.name}" does not fit its definition.`;
  throw new MissingMigrationError([sentence, ...(await conflictsWith(database, definition, difference))], migration);
}

/** Compares types with the recorded ones. @throws {MissingMigrationError} stored values would mean something else. */
async function requireRecordedTypes(database: Database, definition: TableDefinition): Promise<void> {
  const { name, dto, parent, computed } = definition;
  const record = await readRecord(database, name);
  const types = storedTypes(dto, [...(parent === undefined ? [] : [parent]), ...(computed?.names ?? [])]);
  const changes = typeChanges(record.types ?? {}, types);
  if (changes.length > 0) {
    const words = changes.map(({ sentence }) => sentence).join('; ');
    const sentence = `Stored members of the collection "${name}" would mean something else: ${words}.`;
    const migration = await conversionMigration(definition, changes);
    if (migration === undefined) {
      const fields = JSON.stringify([...new Set(changes.map(({ field }) => field))]);
      throw new StartRefusedError(
        `${sentence} Undo the change, give the field a new name, or write a migration with collection: "${name}" and converts: ${fields}.`,
      );
    }
    throw new MissingMigrationError(
      [sentence, 'Undo the change, give the field a new name, or convert it.'],
      migration,
    );
  }
  if (!isDeepStrictEqual(record.types, types)) await writeRecord(database, name, { ...record, types });
}

/** Returns a sentence for each new unique key of existing columns that stored members violate. */
async function conflictsWith(
  database: Database,
  { name, unique = [] }: TableDefinition,
  { indexes, added }: Difference,
): Promise<string[]> {
  const sentences: string[] = [];
  for (const { index, columns } of unique) {
    if (!indexes.includes(index) || columns.some((column) => added.includes(column))) continue;
    const conflict = await storedConflicts(
      (sql) => database.query(sql),
      sqlName(name),
      columns.map(sqlName).join(', '),
    );
    if (conflict !== undefined) sentences.push(conflict);
  }
  return sentences;
}

async function tableOf(database: Database, name: string): Promise<Table> {
  const { dialect } = database;
  const columns = await database.query<{ name: string; nullable: number }>(COLUMNS[dialect], [name]);
  const indexes = await database.query<{ name: string }>(INDEXES[dialect], [name, `${name}_versions`]);
  return {
    columns: new Map(columns.map((column) => [column.name, column.nullable === 1])),
    indexes: new Set(indexes.map((index) => index.name)),
  };
}

async function differenceOf(
  { columns, indexes }: Table,
  definition: TableDefinition,
  dialect: Dialect,
): Promise<Difference> {
  const { name: table, parent, filters } = definition;
  const parentPrefix = parent === undefined ? '' : `${parent}_`;
  const wantedIndexes = await indexesOf(dialect, definition);
  const wantedColumns = columnsOf(schemaFor(dialect).schema, definition);
  const names = [...OF_EVERY_ROW, ...wantedColumns.map(({ name }) => name)];
  const removed = [...columns.keys()].filter((name) => !names.includes(name));
  const former = [...indexes].filter((name) => wantedIndexes.every(([wanted]) => wanted !== name)).sort();
  const isListIndex = (index: string): boolean =>
    [`${table}_by_`, `${table}_versions_by_`, `${table}_versions-by-`].some((start) => index.startsWith(start));
  return {
    added: wantedColumns.filter(({ name }) => !columns.has(name)).map(({ name }) => name),
    removed,
    nowNullable: wantedColumns
      .filter(({ name, nullable }) => nullable && columns.get(name) === false)
      .map(({ name }) => name),
    indexes: wantedIndexes.map(([name]) => name).filter((name) => !indexes.has(name)),
    formerIndexes: removed.length === 0 ? [] : former.filter(isListIndex),
    formerKeys: former.filter((name) => name.startsWith(uniquePrefix(table))),
    // Every collection can be sorted by time. Each filter has an index for this sort, so a filter without the index is
    // new.
    filters: Object.keys(filters).filter(
      (filter) => !indexes.has(shortName(`${table}_by_${parentPrefix}${filter}_created_at`)),
    ),
  };
}

/** Returns the fields of counted filters that lack totals for existing members. */
async function uncountedFilters(
  database: Database,
  { name: table, parent, countedFilters }: TableDefinition,
): Promise<string[]> {
  const own = countedFilters.filter(
    (fields) => fields.length > (parent === undefined ? 1 : 2) || (parent !== undefined && fields[0] !== parent),
  );
  const uncounted: string[] = [];
  for (const fields of own) {
    const prefix = groupsPrefix(fields);
    const known = fields.map((field) => `${sqlName(field)} IS NOT NULL`).join(' AND ');
    const members = await database.query(
      `SELECT 1 FROM ${sqlName(table)} WHERE ${known} AND NOT EXISTS (SELECT 1 FROM collection_counts
        WHERE collection = '${table}' AND substr(grp, 1, ${String(prefix.length)}) = '${prefix}') LIMIT 1`,
    );
    if (members.length > 0) uncounted.push(...fields);
  }
  return uncounted;
}

/** Names a migration after its change: `books_add_rank`. */
function nameOf(table: string, { added, removed, nowNullable, indexes, formerKeys, filters }: Difference): string {
  const keyOf = (index: string): string => `unique_${index.slice(uniquePrefix(table).length).replaceAll('-', '_')}`;
  const words = [
    ...added.map((name) => `add_${name}`),
    ...removed.map((name) => `drop_${name}`),
    ...nowNullable.map((name) => `free_${name}`),
    ...indexes.filter((index) => index.startsWith(uniquePrefix(table))).map((index) => `add_${keyOf(index)}`),
    ...formerKeys.map((index) => `drop_${keyOf(index)}`),
  ];
  const rest = indexes.length > 0 ? [`index_${String(indexes.length)}`] : ['count', ...filters];
  return [table, ...(words.length > 0 ? words : rest)].join('_').slice(0, 100);
}

async function statementsFor(dialect: Dialect, definition: TableDefinition, difference: Difference): Promise<string[]> {
  const { name: table } = definition;
  const { schema, statements } = schemaFor(dialect);
  const columns = columnsOf(schema, definition);
  const columnsIn = (names: readonly string[]): TableColumn[] => columns.filter(({ name }) => names.includes(name));
  const nowNullable = columnsIn(difference.nowNullable);
  const wanted = await indexesOf(dialect, definition);
  const missing = wanted.filter(([name]) => difference.indexes.includes(name));
  await schema.run(...difference.formerKeys.map((index) => `DROP INDEX ${quoted(index)}`));
  await addColumns(schema, table, columnsIn(difference.added));
  await dropListIndexes(schema, difference.formerIndexes);
  await dropColumns(schema, table, difference.removed);
  if (dialect === 'postgres') {
    await dropNotNull(schema, table, nowNullable);
    await createIndexes(schema, missing);
  } else {
    const using = wanted.filter(([, sql]) => usesColumn(sql, nowNullable));
    await dropIndexes(
      schema,
      using.filter((index) => !missing.includes(index)),
    );
    await rebuildAsNullable(schema, table, nowNullable);
    await createIndexes(
      schema,
      wanted.filter((index) => missing.includes(index) || using.includes(index)),
    );
  }
  await schema.run(...countsOf(dialect, definition, difference.filters));
  return statements;
}

async function addColumns(schema: Schema, table: string, columns: readonly TableColumn[]): Promise<void> {
  for (const { name, type, nullable, initial } of columns) {
    await schema.addColumns(table, `${sqlName(name)} ${type}${nullable ? '' : ` NOT NULL DEFAULT ${initial}`}`);
  }
}

async function dropListIndexes(schema: Schema, names: readonly string[]): Promise<void> {
  const written = (name: string): string => (name.includes('-') ? quoted(name) : name);
  await schema.run(...names.map((name) => `DROP INDEX IF EXISTS ${written(name)}`));
}

async function dropColumns(schema: Schema, table: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await schema.run(`DROP INDEX IF EXISTS ${quoted(referenceIndex(table, name))}`);
    await schema.dropColumns(table, name);
  }
}

/** PostgreSQL only. */
async function dropNotNull(schema: Schema, table: string, columns: readonly TableColumn[]): Promise<void> {
  for (const { name } of columns) {
    const action = `ALTER COLUMN ${sqlName(name)} DROP NOT NULL`;
    await schema.run(...[table, `${table}_versions`].map((each) => `ALTER TABLE ${sqlName(each)} ${action}`));
  }
}

/** Replaces the columns, because SQLite cannot drop NOT NULL. Drop their indexes first. */
async function rebuildAsNullable(schema: Schema, table: string, columns: readonly TableColumn[]): Promise<void> {
  if (columns.length === 0) return;
  const rebuilt = columns.map((column) => ({ ...column, sql: sqlName(column.name) }));
  await remakeColumns(schema, table, rebuilt, '_free');
}

async function dropIndexes(schema: Schema, indexes: readonly Index[]): Promise<void> {
  await schema.run(...indexes.map(([name]) => `DROP INDEX ${quoted(name)}`));
}

async function createIndexes(schema: Schema, indexes: readonly Index[]): Promise<void> {
  await schema.run(...indexes.map(([, sql]) => sql));
}
