import { ServiceUnavailableError } from '@items/conventions';
import { outageCauseOf } from './database-outage.js';

/** Longest wait of a request for the database, because a response within 5 s is guaranteed. SPEC §7 */
export const DATABASE_DEADLINE_MS = 4500;

const MIN_TIME_LEFT_MS = 1000;

/** @throws {ServiceUnavailableError} 503 `overloaded`: the request reached the database too late. This is no outage. */
export function deadlineOf(sinceMs: number): number {
  const deadlineMs = sinceMs + DATABASE_DEADLINE_MS;
  if (deadlineMs - performance.now() < MIN_TIME_LEFT_MS) {
    throw new ServiceUnavailableError('overloaded', 'The service is overloaded; try again shortly.');
  }
  return deadlineMs;
}

const CODE = 'database_unavailable';

const UNREACHABLE = 'The database cannot be reached in time.';
const DISK_FULL = 'The disk of the database is full: nothing can be written until there is room again.';

/** @param cause Appears only in the log, not in the response. */
export function databaseUnavailable(cause?: unknown): ServiceUnavailableError {
  return new ServiceUnavailableError(CODE, outageCauseOf(cause) === 'disk_full' ? DISK_FULL : UNREACHABLE, {
    retryAfterSeconds: 2,
    cause,
  });
}

export function isUnavailable(error: unknown): error is ServiceUnavailableError {
  return error instanceof ServiceUnavailableError && error.code === CODE;
}
