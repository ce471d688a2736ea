import { DatabaseTooOldError } from '../../data/database/migrations.js';

export class OperationError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'OperationError';
  }
}

export class UsageError extends OperationError {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** An error of Node or a driver. `instanceof` may fail for errors of another JavaScript realm. */
interface OutsideError {
  readonly code: string;
  readonly message: string;
}

/** Errors of Node and drivers have a `code`; an `OperationError` has none. */
export function isOutside(error: unknown): error is OutsideError {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string';
}

export function isSqliteDamage(error: unknown): error is OutsideError {
  return isOutside(error) && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
}

/**
 * Converts errors of Node, of drivers, and of an outdated database. Returns other errors unchanged.
 * @param failure beginning of the message.
 */
export function asOperationError(error: unknown, failure: string): unknown {
  if (error instanceof OperationError) return error;
  if (error instanceof DatabaseTooOldError) return new OperationError(error.message, error);
  const cause = error instanceof Error && error.name === 'DatabaseNotOpenedError' ? error.cause : error;
  return isOutside(cause) ? new OperationError(`${failure}: ${cause.message || cause.code}.`, error) : error;
}
