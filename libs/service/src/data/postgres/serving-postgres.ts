import type { DataSource } from 'typeorm';

import type { StoreLog } from '../outages/store-log.js';
import type { DatabaseSchema } from '../database/database-options.js';
import { PostgresDatabase, type PostgresOptions } from './postgres-database.js';
import { isSetToServe } from './postgres-settings.js';
import { postgresSource } from './postgres-source.js';
import { requirePreparedStatements } from './prepared-statements.js';
import { poolOf } from './typeorm-pool.js';

export async function servingPostgres(
  url: string,
  schema: DatabaseSchema,
  log: StoreLog,
  { onLost, ...heard }: Omit<PostgresOptions, 'settings'> & { readonly onLost?: () => void },
): Promise<PostgresDatabase> {
  const source = await postgresSource(url, schema);
  const isSet = await isReadyToServe(source).catch(async (error: unknown) => {
    await source.destroy();
    throw error;
  });
  if (!isSet) log.warn({}, 'a pooler drops the startup options of connections: each read sets them in a transaction');
  if (onLost !== undefined) poolOf(source).on('error', onLost);
  return new PostgresDatabase(source, log, { ...heard, settings: isSet ? 'session' : 'transaction' });
}

async function isReadyToServe(source: DataSource): Promise<boolean> {
  await requirePreparedStatements(poolOf(source));
  return isSetToServe(poolOf(source));
}
