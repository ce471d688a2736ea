import { ServiceUnavailableError } from '@items/conventions';

import type { Dialect } from '../schema/dialect.js';

/** 503: a list that no index serves in order has taken too long. SPEC §4.1 */
export function tooSlow(cause?: unknown): ServiceUnavailableError {
  return new ServiceUnavailableError(
    'too_slow',
    'This list takes too long to read: sort by one field, filter by one field, or follow "next_cursor".',
    { retryAfterSeconds: 2, cause },
  );
}

/** 503: a statement or a transaction has taken too long. The database serves other requests. */
export function statementTooSlow(cause: unknown): ServiceUnavailableError {
  return new ServiceUnavailableError('too_slow', 'The database took too long for this request; try again shortly.', {
    retryAfterSeconds: 2,
    cause,
  });
}

/** The function that {@link IN_TIME} calls: it exists on the thread of slow reads alone, and throws after the deadline. */
export const IN_TIME_FUNCTION = 'in_time';

/**
 * A condition of each statement that no index serves in order. SQLite cannot be told to end a statement; so about each
 * thousandth row asks whether there is time left. PostgreSQL has a time-out of its own.
 */
export const IN_TIME: Readonly<Record<Dialect, string>> = {
  sqlite: `(random() & 1023 OR ${IN_TIME_FUNCTION}())`,
  postgres: 'TRUE',
};
