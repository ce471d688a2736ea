import { migrateDatabase } from '../data/opening/open-database.js';
import { pendingMigrations } from '../data/opening/pending-migrations.js';
import { migrationNames } from '../data/database/migrations.js';
import { NO_LOG } from '../data/outages/store-log.js';

import { formatCount } from './check/finding.js';
import type { OperationContext } from './operation.js';

export function migrate(context: OperationContext, args: readonly string[]): Promise<string> | undefined {
  const [word, ...more] = args;
  if (more.length > 0) return undefined;
  if (word === undefined) return run(context);
  if (word === '--dry-run') return list(context);
  return word === 'status' ? status(context) : undefined;
}

async function run({ database, schema, print, audit }: OperationContext): Promise<string> {
  const log = {
    ...NO_LOG,
    info: (fields: { readonly migration?: string; readonly duration_ms?: number }) => {
      if (fields.migration !== undefined) print(`${fields.migration}: ${String(fields.duration_ms)} ms`);
    },
    warn: (_: object, message: string) => {
      print(message);
    },
  };
  const count = await migrateDatabase(database, schema, log);
  if (count === 0) return 'The database is up to date: no migration is pending.';
  audit('database_migrated', null, { migrations: count });
  return `The database is up to date: ${formatCount(count, 'migration')} ran.`;
}

async function list({ database, schema }: OperationContext): Promise<string> {
  const pending = await pendingMigrations(database, schema);
  if (pending.length === 0) return 'No migration is pending.';
  return [`${formatCount(pending.length, 'migration')} would run:`, ...pending].join('\n');
}

async function status({ database, schema }: OperationContext): Promise<string> {
  const pending = new Set(await pendingMigrations(database, schema));
  const lines = migrationNames(schema).map((name) => `${pending.has(name) ? 'pending' : 'done   '}  ${name}`);
  return [...lines, `${formatCount(pending.size, 'migration')} pending.`].join('\n');
}
