import { setTimeout as sleep } from 'node:timers/promises';

import type { QueryRunner } from 'typeorm';

import { codeOf } from './error-code.js';

/** Lock timeout of the first attempt. All other transactions queue behind a waiting one. */
export const SHORT_LOCK_MS = 200;
/** Lock timeout of later attempts, for locks whose holders overlap. */
const LONGEST_LOCK_MS = 800;
const PAUSE_MS = 300;
const LOCK_NOT_AVAILABLE = '55P03';

export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === LOCK_NOT_AVAILABLE;
}

/**
 * Runs a transaction of PostgreSQL with a short lock timeout, so that no other transaction waits for a second. Retries
 * until it gets all its locks.
 * @param runner Runner on a single connection.
 * @param begin Statements that begin the transaction.
 */
export async function inShortLocks(
  runner: Pick<QueryRunner, 'query'>,
  statements: readonly string[],
  begin = 'BEGIN',
): Promise<void> {
  for (let lockMs = SHORT_LOCK_MS; ; lockMs = Math.min(2 * lockMs, LONGEST_LOCK_MS)) {
    const timeout = `SET LOCAL lock_timeout = ${String(lockMs)}`;
    try {
      for (const statement of [begin, timeout, ...statements, 'COMMIT']) await runner.query(statement);
      return;
    } catch (error) {
      await runner.query('ROLLBACK');
      if (!isLockTimeout(error)) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
