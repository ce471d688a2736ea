import { databaseUnavailable, isUnavailable } from '../database/database-unavailable.js';
import { codeOf } from '../database/error-codes.js';
import { FailedTransactionError } from '../database/transaction-errors.js';

/** SQLSTATEs serialization_failure and deadlock_detected: a retry may succeed. */
const RETRYABLE = new Set(['40001', '40P01']);
const CHECK_VIOLATION = '23514';
/** SQLSTATEs of a server that is temporarily unavailable. */
const UNAVAILABLE = /^(08|53|57P|57014|58|25006|25P03|55P03|40001|40P01)/;

/** SQLSTATE query_canceled. `statement_timeout` also causes it. */
export const CANCELED = '57014';
/** SQLSTATE of a server that became a standby. */
export const READ_ONLY = '25006';

export function toServerOrUnavailableError(error: unknown): Error {
  return isFromServer(error) ? (error as Error) : databaseUnavailable(error);
}

/** Replaces a `FailedTransactionError` by its cause if the server was unavailable, since the work is not to blame. */
export function errorOfServer(error: unknown): unknown {
  if (!(error instanceof FailedTransactionError)) return error;
  const { cause } = error;
  return isUnavailable(cause) || isUnavailable(translate(cause)) ? cause : error;
}

function isFromServer(error: unknown): boolean {
  return error instanceof Error && 'severity' in error;
}

/** True if the connection can be reused. False after READ_ONLY, because another server may be writable. */
export function isConnectionReusable(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR' && codeOf(error) !== READ_ONLY;
}

export function translate(error: unknown): unknown {
  return isFromServer(error) && UNAVAILABLE.test(codeOf(error)) ? databaseUnavailable(error) : error;
}

/**
 * Also true if the default partition refuses a row because the row's own partition was attached meanwhile. Every other
 * check violation has a constraint name.
 */
export function isRetryable(error: unknown): boolean {
  const { constraint } = error as { readonly constraint?: string };
  return RETRYABLE.has(codeOf(error)) || (codeOf(error) === CHECK_VIOLATION && constraint === undefined);
}
