import type { QueryRunner } from 'typeorm';

import type { DatabaseSchema } from '../../data/database/database-options.js';
import { StartRefusedError } from '../../data/definition/start-refused.js';
import { sqlName } from '../../data/schema/quoted.js';
import { changedCollection } from './changed-collection.js';
import { type CollectionRecord, collectionRecords, recordStatements } from './collection-record.js';
import type { Migration } from '../composition/composition.js';
import { requireNoConflicts } from './stored-conflicts.js';
import { migrationNamed } from './table-migration.js';

/** Statements that write no values: they change indexes, or columns. The result is the same for old and new members. */
const SAME_FOR_ALL =
  /^(?:(?:CREATE(?: UNIQUE)?|DROP) INDEX [^;]*|ALTER TABLE \S+ (?:ADD COLUMN (?:(?!\bDEFAULT\b)[^;,])*|DROP COLUMN [^;,]*|ALTER COLUMN \S+ DROP NOT NULL))$/i;

/** Removes the final semicolon and repeated blanks. */
function normalized(statement: string): string {
  return statement.trim().replace(/;$/, '').replaceAll(/\s+/g, ' ');
}

/**
 * Makes a migration of the app. A new table already has the changes of the migration. The {@link CollectionRecord} of
 * such a table lists the migration, even after an interrupted start, so the statements are skipped.
 * @throws {StartRefusedError} the collection is unknown; `converts` is given without `collection`; or a restored backup
 * is older than the migration.
 */
export function teamMigration(
  { name, collection, converts = [], ...statements }: Migration,
  collections: readonly string[],
): DatabaseSchema['migrations'][number] {
  if (collection !== undefined && !collections.includes(collection)) {
    throw new StartRefusedError(
      `The migration "${name}" belongs to the collection "${collection}", which the service does not have: correct the name, or remove the migration.`,
    );
  }
  if (collection === undefined && converts.length > 0) {
    throw new StartRefusedError(
      `The migration "${name}" converts ${converts.join(', ')} and names no collection: add it, as in collection: "books".`,
    );
  }
  const olderMembers = (of: string): StartRefusedError =>
    new StartRefusedError(
      `The members of "${of}" are older than the migration "${name}": restore the backup with the version that made it, and start this version on that database.`,
    );
  const forgetTypes = async (runner: QueryRunner, of: string, record: CollectionRecord = {}): Promise<void> => {
    const { includes = [], types = {} } = record;
    const converted = converts.filter((field) => types[field] !== undefined);
    if (converted.length === 0) return;
    if (includes.includes(name)) throw olderMembers(of);
    const others = Object.entries(types).filter(([field]) => !converts.includes(field));
    for (const statement of recordStatements(of, { ...record, types: Object.fromEntries(others) })) {
      await runner.query(statement);
    }
  };
  return migrationNamed(`${name}_1900000000000`, async (runner) => {
    const dialect = runner.dataSource.options.type === 'postgres' ? 'postgres' : 'sqlite';
    const records = await collectionRecords(runner);
    for (const statement of statements[dialect]) {
      const changed = collection ?? changedCollection(statement, collections) ?? '';
      if (records.get(changed)?.includes?.includes(name) === true) {
        if (!SAME_FOR_ALL.test(normalized(statement)) && (await hasMembers(runner, changed)))
          throw olderMembers(changed);
        continue;
      }
      await requireNoConflicts((sql) => runner.query(sql), statement);
      await runner.query(statement);
    }
    if (collection !== undefined) await forgetTypes(runner, collection, records.get(collection));
  });
}

/** A new table has members only if a backup was restored into it. */
async function hasMembers(runner: QueryRunner, collection: string): Promise<boolean> {
  const found = (await runner.query(`SELECT 1 FROM ${sqlName(collection)} LIMIT 1`)) as readonly unknown[];
  return found.length > 0;
}
