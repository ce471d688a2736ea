import { type DataSource, MigrationExecutor } from 'typeorm';
import type { StoreLog } from '../outages/store-log.js';
import { storeMigrations } from '../schema/store-migrations.js';
import type { Migration } from '../schema/migration.js';
import type { DatabaseSchema } from './database-options.js';

export function allMigrations({ migrations, only }: DatabaseSchema): (new () => Migration)[] {
  const all = [...storeMigrations, ...migrations];
  return only === undefined ? all : all.filter((migration) => only.includes(nameOf(new migration())));
}

export function migrationNames(schema: DatabaseSchema): string[] {
  return instancesOf(schema).map(nameOf);
}

/**
 * Runs the pending migrations of a connected database and logs each.
 * @returns Their number.
 * @throws {DatabaseTooOldError}
 */
export async function runMigrations(source: DataSource, transaction: 'each' | 'none', log: StoreLog): Promise<number> {
  const done = await requireBaselinesOf(source);
  logMigrations(source, log);
  const run = await source.runMigrations({ transaction });
  await recordReplaced(source, [...done, ...run.map(({ name }) => name)]);
  return run.length;
}

function logMigrations({ migrations }: DataSource, log: StoreLog): void {
  for (const migration of migrations) {
    const up = migration.up.bind(migration);
    migration.up = async (runner) => {
      const beganAtMs = performance.now();
      await up(runner);
      const durationMs = Math.round(performance.now() - beganAtMs);
      log.info({ migration: nameOf(migration), duration_ms: durationMs }, 'a migration has run');
    };
  }
}

/** TypeORM requires names that end in a timestamp of this length. */
const TIMESTAMP_DIGITS = 13;

/** The database has some, but not all, of the migrations that a baseline replaces. */
export class DatabaseTooOldError extends Error {
  override readonly name = 'DatabaseTooOldError';

  constructor(database: string) {
    super(`${database} is older than commit 8795a3c: start that commit on it once, and then this version.`);
  }
}

/** Returns the migrations that a later version has run. */
export function laterMigrations(schema: DatabaseSchema, done: readonly string[]): string[] {
  const former = instancesOf(schema).flatMap(({ replaces = [] }) => replaces);
  const known = new Set([...migrationNames(schema), ...former]);
  return done.filter((name) => !known.has(name));
}

/**
 * Refuses a database that is too old for the baselines.
 * @param done Names of the migrations that have run.
 * @throws {DatabaseTooOldError}
 */
export function requireBaselines(schema: DatabaseSchema, done: readonly string[], database = 'The database'): void {
  refuseTooOld(instancesOf(schema), done, database);
}

/**
 * Does the same as {@link requireBaselines} for a connected database.
 * @returns Names of the migrations that have run.
 * @throws {DatabaseTooOldError}
 */
export async function requireBaselinesOf(source: DataSource): Promise<readonly string[]> {
  const executed = await new MigrationExecutor(source).getExecutedMigrations();
  const done = executed.map(({ name }) => name);
  refuseTooOld(source.migrations, done, 'The database');
  return done;
}

/**
 * Records the migrations that a finished baseline replaces, so that commit 8795a3c can start on a database that this
 * version created.
 */
async function recordReplaced(source: DataSource, done: readonly string[]): Promise<void> {
  const names = (source.migrations as Migration[])
    .filter(({ name = '' }) => done.includes(name))
    .flatMap(({ replaces = [] }) => replaces)
    .filter((name) => !done.includes(name));
  if (names.length === 0) return;
  // Inserts all names in one statement, because a database with only some names is refused.
  const values = names.map((name) => `(${name.slice(-TIMESTAMP_DIGITS)}, '${name}')`);
  await source.query(`INSERT INTO migrations (timestamp, name) VALUES ${values.join(', ')}`);
}

function refuseTooOld(migrations: readonly Migration[], done: readonly string[], database: string): void {
  for (const { name = '', replaces = [] } of migrations) {
    const isBegun = replaces.some((former) => done.includes(former));
    const isDone = [...replaces, name].every((former) => done.includes(former));
    if (isBegun && !isDone) throw new DatabaseTooOldError(database);
  }
}

function instancesOf(schema: DatabaseSchema): Migration[] {
  return allMigrations(schema).map((migration) => new migration());
}

function nameOf(migration: Migration): string {
  return migration.name ?? migration.constructor.name;
}
