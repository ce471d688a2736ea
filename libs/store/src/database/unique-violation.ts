import { codeOf } from './error-code.js';

/** SQLite's code, and PostgreSQL's SQLSTATE. */
const UNIQUE_VIOLATION: ReadonlySet<string> = new Set(['SQLITE_CONSTRAINT_UNIQUE', '23505']);

/** Whether a write failed because another row has the same value in a unique column. */
export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE_VIOLATION.has(codeOf(error));
}
