import { databaseUnavailable, isUnavailable } from '../database/database-unavailable.js';
import { codeOf } from '../database/error-codes.js';
import { FailedTransactionError } from '../database/transaction-errors.js';

/** A retry may succeed after serialization_failure and deadlock_detected. */
const RETRYABLE = new Set(['40001', '40P01']);
const CHECK_VIOLATION = '23514';
/** SQLSTATEs of a server that is temporarily unavailable. */
const UNAVAILABLE = /^(08|53|57P|57014|58|25006|25P03|55P03|40001|40P01)/;

/** SQLSTATE query_canceled, which `statement_timeout` causes as well. */
export const CANCELED = '57014';
/** SQLSTATE of a server that became a standby. */
export const READ_ONLY = '25006';

export function refusal(error: unknown): Error {
  return isFromServer(error) ? (error as Error) : databaseUnavailable(error);
}

/** A `FailedTransactionError` blames the work for a caught error. Returns its cause if the server was unavailable. */
export function errorOfServer(error: unknown): unknown {
  if (!(error instanceof FailedTransactionError)) return error;
  const { cause } = error;
  return isUnavailable(cause) || isUnavailable(translate(cause)) ? cause : error;
}

function isFromServer(error: unknown): boolean {
  return error instanceof Error && 'severity' in error;
}

/** Whether the connection can be reused. If its server became read-only, another server may be writable. */
export function isOfStatement(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR' && codeOf(error) !== READ_ONLY;
}

export function translate(error: unknown): unknown {
  return isFromServer(error) && UNAVAILABLE.test(codeOf(error)) ? databaseUnavailable(error) : error;
}

/**
 * Also true if a row violates the constraint of the default partition because its own partition was attached meanwhile:
 * the only check violation without a constraint name.
 */
export function isRetryable(error: unknown): boolean {
  const { constraint } = error as { readonly constraint?: string };
  return RETRYABLE.has(codeOf(error)) || (codeOf(error) === CHECK_VIOLATION && constraint === undefined);
}
