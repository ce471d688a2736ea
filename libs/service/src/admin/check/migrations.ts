import { DatabaseTooOldError, laterMigrations, migrationNames } from '../../data/database/migrations.js';
import { pendingMigrations } from '../../data/opening/pending-migrations.js';
import type { CheckedDatabase } from './checked-database.js';
import { formatCount, failure, type Finding, ok, warning } from './finding.js';

const INVALID_INDEXES = `SELECT indexrelid::regclass::text AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE NOT indisvalid AND relkind = 'i' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())`;

export async function checkMigrations({ config: { database }, schema }: CheckedDatabase): Promise<Finding> {
  const pending = await pendingMigrations(database, schema).catch((error: unknown) => {
    if (error instanceof DatabaseTooOldError) return error;
    throw error;
  });
  if (pending instanceof Error)
    return failure('the database is too old for this version', 'Start commit 8795a3c on it once.');
  const all = migrationNames(schema).length;
  if (pending.length === 0) return ok(`all ${String(all)} have run`);
  const message = `${String(pending.length)} of ${String(all)} pending, from ${String(pending[0])}`;
  return database.isMigratedElsewhere
    ? failure(`${message}; with MIGRATE=off no instance of this version becomes ready`, 'Run npm run admin -- migrate.')
    : warning(message, 'Run npm run admin -- migrate, or start an instance of this version: it runs them.');
}

/** Finds migrations of a later version, and indexes whose creation was interrupted. */
export async function checkSchema({ config, schema, query }: CheckedDatabase): Promise<Finding> {
  if (config.database.dialect === 'postgres') {
    const invalid = (await query(INVALID_INDEXES)).map(({ name }) => String(name));
    if (invalid.length > 0)
      return failure(`unfinished: ${invalid.join(', ')}`, 'Run REINDEX INDEX CONCURRENTLY for each.');
  }
  const done = await query('SELECT name FROM migrations');
  const names = done.map(({ name }) => String(name));
  const later = laterMigrations(schema, names);
  if (later.length === 0) return ok('the tables are of this version, and all indexes are usable');
  return warning(
    `${formatCount(later.length, 'migration')} of a later version: ${String(later[0])}`,
    'Finish the upgrade, or go back as docs/upgrading.md describes.',
  );
}
