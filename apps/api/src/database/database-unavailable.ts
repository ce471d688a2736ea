import { ServiceUnavailableError } from '@items/errors';

/** How long a request waits for the database in all, in milliseconds: an answer within 5 s is promised. decisions §7 */
export const DATABASE_DEADLINE_MS = 4500;

/** 503: the database is down or too slow. The cause goes to the log. */
export function databaseUnavailable(cause?: unknown): ServiceUnavailableError {
  return new ServiceUnavailableError('database_unavailable', 'The database cannot be reached in time.', {
    retryAfterSeconds: 2,
    cause,
  });
}
