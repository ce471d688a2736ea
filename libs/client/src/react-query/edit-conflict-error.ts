import type { Versioned } from './queries.js';

/** Another user has changed or deleted the resource meanwhile. Nothing was written. */
export class EditConflictError<T = unknown> extends Error {
  override readonly name = 'EditConflictError';
  /** The present state; undefined if it was deleted. */
  readonly current: Versioned<T> | undefined;

  constructor(current: Versioned<T> | undefined, options?: ErrorOptions) {
    super(`It has been ${current === undefined ? 'deleted' : 'changed'} meanwhile.`, options);
    this.current = current;
  }
}
