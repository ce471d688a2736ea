import { ServiceUnavailableError } from '@items/conventions';

import { outageCauseOf } from './database-outage.js';

/** How long a request waits for the database in all, in milliseconds: an answer within 5 s is promised. SPEC §7 */
export const DATABASE_DEADLINE_MS = 4500;

/** A write of a request that has less time left is not begun, in milliseconds. */
const LEAST_TIME_MS = 1000;

/**
 * When a write gives up whose request has waited.
 * @param sinceMs when it arrived, on the clock of `performance`.
 * @throws {ServiceUnavailableError} 503 `overloaded`: too little time is left. That says nothing of the database.
 */
export function deadlineOf(sinceMs: number): number {
  const deadlineMs = sinceMs + DATABASE_DEADLINE_MS;
  if (deadlineMs - performance.now() < LEAST_TIME_MS) {
    throw new ServiceUnavailableError('overloaded', 'The service has more to do than it can; try again shortly.');
  }
  return deadlineMs;
}

const CODE = 'database_unavailable';

const UNREACHABLE = 'The database cannot be reached in time.';
const DISK_FULL = 'The disk of the database is full: nothing can be written until there is room again.';

/** 503: the database is down, too slow, or has no room. The cause goes to the log. */
export function databaseUnavailable(cause?: unknown): ServiceUnavailableError {
  return new ServiceUnavailableError(CODE, outageCauseOf(cause) === 'disk_full' ? DISK_FULL : UNREACHABLE, {
    retryAfterSeconds: 2,
    cause,
  });
}

/** Whether an error is the one of {@link databaseUnavailable}, and not another one's 503. */
export function isUnavailable(error: unknown): error is ServiceUnavailableError {
  return error instanceof ServiceUnavailableError && error.code === CODE;
}
