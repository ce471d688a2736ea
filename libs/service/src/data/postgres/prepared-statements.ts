import type pg from 'pg';

import { codeOf } from '../database/error-code.js';
import { DatabaseNotOpenedError } from '../database/initialized.js';

const LOOKED_FOR = { name: 'looked_for', text: 'SELECT 1' };
/** SQLSTATEs invalid_sql_statement_name, and duplicate_prepared_statement from an earlier process. */
const MIXED_UP = new Set(['26000', '42P05']);

class StatementsMixedUpError extends Error {
  constructor() {
    super(
      'a pooler mixes up prepared statements: use session mode, or PgBouncer 1.21 or newer with max_prepared_statements above 0',
    );
  }
}

/** @throws {DatabaseNotOpenedError} A pooler in transaction mode mixes up prepared statements. */
export async function requirePreparedStatements(pool: pg.Pool): Promise<void> {
  const [one, other] = await Promise.all([pool.connect(), pool.connect()]);
  try {
    await one.query(LOOKED_FOR);
    // Occupies the server connection of the first client, if a pooler shares it.
    await other.query('BEGIN');
    await one.query(LOOKED_FOR);
    await other.query('ROLLBACK');
    one.release();
    other.release();
  } catch (error) {
    for (const client of [one, other]) client.release(true);
    const isMixedUp = MIXED_UP.has(codeOf(error));
    throw new DatabaseNotOpenedError(isMixedUp ? new StatementsMixedUpError() : error);
  }
}
