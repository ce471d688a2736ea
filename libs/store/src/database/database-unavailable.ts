import { ServiceUnavailableError } from '@items/errors';

/** How long a request waits for the database in all, in milliseconds: an answer within 5 s is promised. SPEC §7 */
export const DATABASE_DEADLINE_MS = 4500;

const CODE = 'database_unavailable';

/** 503: the database is down or too slow. The cause goes to the log. */
export function databaseUnavailable(cause?: unknown): ServiceUnavailableError {
  return new ServiceUnavailableError(CODE, 'The database cannot be reached in time.', {
    retryAfterSeconds: 2,
    cause,
  });
}

/** Whether an error is the one of {@link databaseUnavailable}, and not another one's 503. */
export function isUnavailable(error: unknown): error is ServiceUnavailableError {
  return error instanceof ServiceUnavailableError && error.code === CODE;
}
