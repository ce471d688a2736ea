import { ServiceUnavailableError } from '@items/conventions';
import type { Dialect } from '../schema/dialect.js';

/** 503: a list without a suitable index took too long. SPEC §4.1 */
export function tooSlow(cause?: unknown): ServiceUnavailableError {
  return new ServiceUnavailableError(
    'too_slow',
    'This list takes too long to read: sort by one field, filter by one field, or follow "next_cursor".',
    { retryAfterSeconds: 2, cause },
  );
}

/** 503: a statement or transaction took too long, but there is no outage. */
export function statementTooSlow(cause: unknown): ServiceUnavailableError {
  return new ServiceUnavailableError('too_slow', 'The database took too long for this request; try again shortly.', {
    retryAfterSeconds: 2,
    cause,
  });
}

/** SQL function on the thread of slow reads. It throws after the deadline. */
export const IN_TIME_FUNCTION = 'in_time';

/**
 * SQL condition that a slow read contains: `node:sqlite` cannot cancel a statement, so this checks the deadline at
 * about every thousandth row. PostgreSQL has a statement timeout, so the condition is always true.
 */
export const IN_TIME: Readonly<Record<Dialect, string>> = {
  sqlite: `(random() & 1023 OR ${IN_TIME_FUNCTION}())`,
  postgres: 'TRUE',
};
