import { databaseUnavailable, isUnavailable } from '../database/database-unavailable.js';
import { codeOf } from '../database/error-code.js';
import { FailedTransactionError } from '../database/transaction-errors.js';

/** SQLSTATEs after which the same transaction may succeed: serialization_failure, deadlock_detected. */
const RETRYABLE = new Set(['40001', '40P01']);
const CHECK_VIOLATION = '23514';
/** Classes and codes of SQLSTATE that say that the server cannot serve just now. */
const UNAVAILABLE = /^(08|53|57P|57014|58|25006|25P03|55P03|40001|40P01)/;

/** The server has become a standby. */
export const READ_ONLY = '25006';

/** The error of a statement: what the server has not said, the connection has: it is cut, or too slow. */
export function refusal(error: unknown): Error {
  return isFromServer(error) ? (error as Error) : databaseUnavailable(error);
}

/** The server's error where the work has caught one that says that the server cannot serve: the work is not at fault. */
export function errorOfServer(error: unknown): unknown {
  if (!(error instanceof FailedTransactionError)) return error;
  const { cause } = error;
  return isUnavailable(cause) || isUnavailable(translate(cause)) ? cause : error;
}

function isFromServer(error: unknown): boolean {
  return error instanceof Error && 'severity' in error;
}

/** The connection is as good as before: not where its server can only be read, and another one may be written to. */
export function isOfStatement(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR' && codeOf(error) !== READ_ONLY;
}

/** 503 for what the server says of itself; what it says of a statement stays as it is. */
export function translate(error: unknown): unknown {
  return isFromServer(error) && UNAVAILABLE.test(codeOf(error)) ? databaseUnavailable(error) : error;
}

/**
 * Whether the same may succeed at once. A row that a statement has put into the default partition does not fit there any more
 * where its own partition was attached meanwhile: the only check that has no name.
 */
export function isRetryable(error: unknown): boolean {
  const { constraint } = error as { readonly constraint?: string };
  return RETRYABLE.has(codeOf(error)) || (codeOf(error) === CHECK_VIOLATION && constraint === undefined);
}
