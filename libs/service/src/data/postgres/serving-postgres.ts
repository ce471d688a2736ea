import type { StoreLog } from '../outages/store-log.js';
import type { DatabaseSchema } from '../database/database-options.js';
import { PostgresDatabase, type PostgresOptions } from './postgres-database.js';
import { isSetToServe } from './postgres-settings.js';
import { postgresSource } from './postgres-source.js';
import { poolOf } from './typeorm-pool.js';
import type pg from 'pg';
import { codeOf } from '../database/error-codes.js';
import { DatabaseNotOpenedError } from '../database/initialized.js';

export async function servingPostgres(
  url: string,
  schema: DatabaseSchema,
  log: StoreLog,
  { onLost, ...listeners }: Omit<PostgresOptions, 'settings'> & { readonly onLost?: () => void },
): Promise<PostgresDatabase> {
  const source = await postgresSource(url, schema);
  const pool = poolOf(source);
  let isSet: boolean;
  try {
    await requirePreparedStatements(pool);
    isSet = await isSetToServe(pool);
  } catch (error) {
    await source.destroy();
    throw error;
  }
  if (!isSet) log.warn({}, 'a pooler drops the startup options of connections: each read sets them in a transaction');
  if (onLost !== undefined) pool.on('error', onLost);
  return new PostgresDatabase(source, log, { ...listeners, settings: isSet ? 'session' : 'transaction' });
}

const PROBE = { name: 'probe', text: 'SELECT 1' };
/** SQLSTATEs invalid_sql_statement_name, and duplicate_prepared_statement (left by an earlier process). */
const MIXED_UP = new Set(['26000', '42P05']);

class StatementsMixedUpError extends Error {
  constructor() {
    super(
      'a pooler mixes up prepared statements: use session mode, or PgBouncer 1.21 or newer with max_prepared_statements above 0',
    );
  }
}

/** @throws {DatabaseNotOpenedError} A pooler in transaction mode mixes up prepared statements. */
async function requirePreparedStatements(pool: pg.Pool): Promise<void> {
  const [one, other] = await Promise.all([pool.connect(), pool.connect()]);
  try {
    await one.query(PROBE);
    // Behind a pooler, `other` takes the server connection that `one` used, so `one` gets another connection.
    await other.query('BEGIN');
    await one.query(PROBE);
    await other.query('ROLLBACK');
    one.release();
    other.release();
  } catch (error) {
    for (const client of [one, other]) client.release(true);
    const isMixedUp = MIXED_UP.has(codeOf(error));
    throw new DatabaseNotOpenedError(isMixedUp ? new StatementsMixedUpError() : error);
  }
}
