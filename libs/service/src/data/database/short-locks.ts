import { setTimeout as sleep } from 'node:timers/promises';

import type { QueryRunner } from 'typeorm';

import { codeOf } from './error-code.js';

/** Wait for a lock at the first try, in milliseconds: all others wait behind the one that waits. */
export const SHORT_LOCK_MS = 200;
/** The same at later tries, where those who hold it never end together. */
const LONGEST_LOCK_MS = 800;
/** Pause before the lock is asked for again, in milliseconds. */
const PAUSE_MS = 300;
const LOCK_NOT_AVAILABLE = '55P03';

/** Whether a statement of PostgreSQL has waited for a lock for as long as it may. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === LOCK_NOT_AVAILABLE;
}

/**
 * One transaction of PostgreSQL that makes no other wait for a second, tried until it gets all its locks.
 * @param runner one connection.
 * @param begin statements that begin the transaction.
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
