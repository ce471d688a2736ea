import { ServiceUnavailableError } from '@items/conventions';

import { DatabaseLostError } from '../database/database-outage.js';
import { databaseUnavailable } from '../database/database-unavailable.js';
import { codeOf } from '../database/error-code.js';
import { FailedTransactionError } from '../database/transaction-errors.js';

/** Codes that say that the file cannot be used just now; the last is Node's, of a connection that was closed. */
const UNAVAILABLE = /^(SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|PROTOCOL)|ERR_INVALID_STATE$)/;

/** Whether another process, or another connection, holds the lock. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}

/** The error that a caller gets for one of SQLite: 503 where the file cannot be used, else the error itself. */
export function callersError(error: unknown): Error {
  if (error instanceof ServiceUnavailableError) return error;
  if (error instanceof DatabaseLostError) return databaseUnavailable(error);
  // A caught error of the database, such as a full disk, is not the work's fault.
  const cause = error instanceof FailedTransactionError ? error.cause : error;
  if (UNAVAILABLE.test(codeOf(cause))) return databaseUnavailable(cause);
  return error as Error;
}
