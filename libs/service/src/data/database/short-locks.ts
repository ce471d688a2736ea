import { setTimeout as sleep } from 'node:timers/promises';
import { isLockTimeout } from './error-codes.js';

/** Timeout of the first attempt. Short, because all other transactions queue behind a waiting transaction. */
export const SHORT_LOCK_MS = 200;
/** Maximum timeout of later attempts. They wait longer, because a lock with overlapping holders is rarely free. */
const LONGEST_LOCK_MS = 800;
const PAUSE_MS = 300;

/**
 * Runs a transaction on PostgreSQL with a short lock timeout, so that other transactions wait less than a second.
 * Retries until it gets all locks.
 * @param runner Has a single connection.
 */
export async function inShortLocks(
  runner: { query(sql: string): Promise<unknown> },
  statements: readonly (string | (() => Promise<unknown>))[],
  begin = 'BEGIN',
): Promise<void> {
  for (let lockMs = SHORT_LOCK_MS; ; lockMs = Math.min(2 * lockMs, LONGEST_LOCK_MS)) {
    const timeout = `SET LOCAL lock_timeout = ${String(lockMs)}`;
    try {
      for (const statement of [begin, timeout, ...statements, 'COMMIT']) {
        await (typeof statement === 'string' ? runner.query(statement) : statement());
      }
      return;
    } catch (error) {
      await runner.query('ROLLBACK');
      if (!isLockTimeout(error)) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
