import type { DatabaseConfig, DatabaseSchema } from '../../data/database/database-options.js';
import { StartRefusedError } from '../../data/definition/start-refused.js';
import { laterMigrations, requireBaselines } from '../../data/database/migrations.js';

import { checkBackup, dialectOf } from '../backup/backup.js';
import { formatContents, type Contents } from '../backup/contents.js';
import { OperationError } from '../session/operation-error.js';
import { restorePostgres } from './restore-postgres.js';
import { restoreSqlite } from './restore-sqlite.js';

const NAMES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

/**
 * Replaces the database with a backup, all or nothing; the former data are preserved separately.
 * @throws {OperationError} the restore failed, and the database is unchanged.
 */
export async function restore(database: DatabaseConfig, schema: DatabaseSchema, file: string): Promise<string> {
  const dialect = dialectOf(file);
  if (dialect !== database.dialect) {
    throw new OperationError(
      `The file ${file} is a backup of ${NAMES[dialect]}, and DATABASE_URL names a database of ${NAMES[database.dialect]}.`,
    );
  }
  const contents = await checkBackup(file);
  refuseOthers(contents, schema, file);
  const restored =
    database.dialect === 'sqlite'
      ? restoreSqlite(database.file, file, schema)
      : restorePostgres(database.url, file, contents, schema);
  const kept = await restored.catch(explainRefusal);
  return `Restored the backup of ${contents.madeAt}: ${formatContents(contents)}. ${kept}`;
}

function refuseOthers({ migrations }: Contents, schema: DatabaseSchema, file: string): void {
  requireBaselines(schema, migrations, `The backup ${file}`);
  const [later] = laterMigrations(schema, migrations);
  if (later === undefined) return;
  throw new OperationError(
    `The backup ${file} was made by a later version of the service (${later}): restore it with that version.`,
  );
}

/** @throws {OperationError} a migration of the app refuses the rows of an older backup. */
function explainRefusal(error: unknown): never {
  throw error instanceof StartRefusedError ? new OperationError(error.message, error) : error;
}
