import { existsSync } from 'node:fs';
import { MigrationExecutor } from 'typeorm';
import type { DatabaseConfig, DatabaseSchema } from '../database/database-options.js';
import { migrationNames, requireBaselinesOf } from '../database/migrations.js';
import { postgresSource } from '../postgres/postgres-source.js';
import { sqliteReader } from '../sqlite/sqlite-source.js';

/** The database lacks migrations that this process must not run (`MIGRATE=off`). */
export class PendingMigrationsError extends Error {
  readonly code = 'PENDING_MIGRATIONS';

  constructor(pending: readonly string[]) {
    const [first, ...others] = pending;
    const more = others.length === 0 ? '' : ` and ${String(others.length)} more`;
    super(`pending: ${String(first)}${more}; run "npm run admin -- migrate"`);
    this.name = 'PendingMigrationsError';
  }
}

/**
 * Only reads, so no DDL rights are needed.
 * @returns Names of the pending migrations, oldest first.
 * @throws {DatabaseTooOldError}
 */
export async function pendingMigrations(config: DatabaseConfig, schema: DatabaseSchema): Promise<string[]> {
  if (config.dialect === 'sqlite' && !existsSync(config.file)) return migrationNames(schema);
  const source =
    config.dialect === 'postgres' ? await postgresSource(config.url, schema) : await sqliteReader(config.file, schema);
  try {
    await requireBaselinesOf(source);
    const pending = await new MigrationExecutor(source).getPendingMigrations();
    return pending.map(({ name }) => name);
  } finally {
    await source.destroy();
  }
}

export async function requireMigrated(config: DatabaseConfig, schema: DatabaseSchema): Promise<void> {
  const pending = await pendingMigrations(config, schema);
  if (pending.length > 0) throw new PendingMigrationsError(pending);
}
