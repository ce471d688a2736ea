import { storeMigrations } from '../schema/store-migrations.js';
import type { DatabaseSchema } from './database-options.js';

/** What TypeORM knows of the tables: those of the store, then those of the application. */
export function tablesOf({ migrations, only }: DatabaseSchema): DatabaseSchema {
  const all = [...storeMigrations, ...migrations];
  return { migrations: only === undefined ? all : all.filter((migration) => only.includes(nameOf(migration))) };
}

/** The names of all migrations of a schema, those of the store included, as the table `migrations` holds them. */
export function migrationNames(schema: DatabaseSchema): string[] {
  return tablesOf(schema).migrations.map(nameOf);
}

function nameOf(migration: DatabaseSchema['migrations'][number]): string {
  return new migration().name ?? migration.name;
}
