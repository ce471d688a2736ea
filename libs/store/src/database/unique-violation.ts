/** SQLite's code, and PostgreSQL's SQLSTATE. */
const UNIQUE_VIOLATION: ReadonlySet<unknown> = new Set(['SQLITE_CONSTRAINT_UNIQUE', '23505']);

/** Whether a write failed because another row has the same value in a unique column. */
export function isUniqueViolation(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && UNIQUE_VIOLATION.has(error.code);
}
