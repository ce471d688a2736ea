import { storeMigrations } from '../schema/store-migrations.js';
import type { DatabaseSchema } from './database-options.js';

export function tablesOf({ migrations, only }: DatabaseSchema): DatabaseSchema {
  const all = [...storeMigrations, ...migrations];
  return { migrations: only === undefined ? all : all.filter((migration) => only.includes(nameOf(migration))) };
}

export function migrationNames(schema: DatabaseSchema): string[] {
  return tablesOf(schema).migrations.map(nameOf);
}

function nameOf(migration: DatabaseSchema['migrations'][number]): string {
  return new migration().name ?? migration.name;
}
