import { ServiceUnavailableError } from '@items/conventions';
import { DatabaseLostError } from '../database/database-outage.js';
import { databaseUnavailable } from '../database/database-unavailable.js';
import { codeOf } from '../database/error-codes.js';
import { FailedTransactionError } from '../database/transaction-errors.js';

/** Codes of an unusable database file. Node sets the last code for a closed connection. */
const UNAVAILABLE = /^(SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|PROTOCOL)|ERR_INVALID_STATE$)/;

export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}

export function toCallerError(error: unknown): Error {
  if (error instanceof ServiceUnavailableError) return error;
  if (error instanceof DatabaseLostError) return databaseUnavailable(error);
  // A `FailedTransactionError` hides an error that the work caught, such as a full disk.
  const cause = error instanceof FailedTransactionError ? error.cause : error;
  if (UNAVAILABLE.test(codeOf(cause))) return databaseUnavailable(cause);
  return error as Error;
}
