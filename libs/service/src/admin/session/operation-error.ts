/** What goes wrong with an operation, in one sentence for the operator. */
export class OperationError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'OperationError';
  }
}

/** An operation was not called as it can be. */
export class UsageError extends OperationError {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** An error of a file, of a library or of a database; those of Node and of drivers may come from another realm. */
interface OutsideError {
  readonly code: string;
  readonly message: string;
}

/** Whether an error has a code: faults of ours have none. */
export function isOutside(error: unknown): error is OutsideError {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string';
}

/** Whether SQLite says that a file is damaged, or none of its own. */
export function isSqliteDamage(error: unknown): error is OutsideError {
  return isOutside(error) && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
}

/** The sentence of an error from outside; faults of ours stay as they are. @param failure what was not done. */
export function asOperationError(error: unknown, failure: string): unknown {
  if (error instanceof OperationError) return error;
  const cause = error instanceof Error && error.name === 'DatabaseNotOpenedError' ? error.cause : error;
  return isOutside(cause) ? new OperationError(`${failure}: ${cause.message || cause.code}.`, error) : error;
}
