import type { ApiError } from '@items/conventions';

import type { Content, Presences } from '../openapi-document.js';
import type { Fields } from './resource-schemas.js';

/** How errors look where they have not the one form of all others. SPEC §1.4 */
export interface ErrorForm {
  /** The body of an answer that tells one of some errors of the same status. */
  readonly content: (errors: readonly ApiError[]) => Content;
  /** Component schemas that the content refers to. */
  readonly schemas?: Fields;
  /** Headers of such answers beyond those of every error. */
  readonly headers?: Presences;
}
