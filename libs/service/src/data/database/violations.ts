import { codeOf } from './error-code.js';

const UNIQUE_VIOLATION: ReadonlySet<string> = new Set(['SQLITE_CONSTRAINT_UNIQUE', '23505']);

const FOREIGN_KEY_VIOLATION: ReadonlySet<string> = new Set(['SQLITE_CONSTRAINT_FOREIGNKEY', '23503']);

/** Whether a write failed because another row refers to this one, or because it refers to a missing row. */
export function isForeignKeyViolation(error: unknown): boolean {
  return FOREIGN_KEY_VIOLATION.has(codeOf(error));
}

export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE_VIOLATION.has(codeOf(error));
}
