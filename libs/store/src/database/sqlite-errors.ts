import { ServiceUnavailableError } from '@items/errors';

import { DatabaseLostError } from './database-outage.js';
import { databaseUnavailable } from './database-unavailable.js';
import { codeOf } from './error-code.js';

/** Codes of better-sqlite3 that say that the file cannot be used just now. */
const UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|PROTOCOL)/;

/** Whether another process, or another connection, holds the lock. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}

/** What a caller hears of an error of SQLite: 503 where the file cannot be used, else the error itself. */
export function callersError(error: unknown): Error {
  if (error instanceof ServiceUnavailableError) return error;
  if (error instanceof DatabaseLostError) return databaseUnavailable(error);
  if (UNAVAILABLE.test(codeOf(error)) || (error instanceof TypeError && /not open/.test(error.message))) {
    return databaseUnavailable(error);
  }
  return error as Error;
}
