import type { QueryRunner } from 'typeorm';

import type { DatabaseSchema } from '../../data/database/database-options.js';
import { StartRefusedError } from '../../data/definition/start-refused.js';
import { changedCollection } from './changed-collection.js';
import { type CollectionRecord, collectionRecords, recordStatements } from './collection-record.js';
import type { Migration } from '../composition/composition.js';
import { requireNoConflicts } from './stored-conflicts.js';
import { migrationNamed } from './table-migration.js';

/**
 * Makes a migration of the application. It skips statements for a table whose record includes the migration, because a
 * program with this migration created the table, even if that start was interrupted.
 * @throws {StartRefusedError} the collection is unknown, or is not named although fields are converted.
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
  const forgetTypes = async (runner: QueryRunner, of: string, record: CollectionRecord = {}): Promise<void> => {
    const { includes = [], types = {} } = record;
    const converted = converts.filter((field) => types[field] !== undefined);
    if (converted.length === 0) return;
    if (includes.includes(name)) {
      throw new StartRefusedError(
        `The members of "${of}" are older than the migration "${name}", which converts them: restore the backup with the version that made it, and start this version on that database.`,
      );
    }
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
      if (records.get(changed)?.includes?.includes(name) === true) continue;
      await requireNoConflicts((sql) => runner.query(sql), statement);
      await runner.query(statement);
    }
    if (collection !== undefined) await forgetTypes(runner, collection, records.get(collection));
  });
}
