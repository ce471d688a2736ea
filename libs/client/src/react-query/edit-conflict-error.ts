import type { Versioned } from './queries.js';

/** What was to be changed has been changed or deleted by someone else meanwhile. Nothing was written. */
export class EditConflictError<T = unknown> extends Error {
  override readonly name = 'EditConflictError';
  /** What is there now; undefined where it was deleted. */
  readonly current: Versioned<T> | undefined;

  constructor(current: Versioned<T> | undefined, options?: ErrorOptions) {
    super(`It has been ${current === undefined ? 'deleted' : 'changed'} meanwhile.`, options);
    this.current = current;
  }
}
