import type { ApiError } from '@items/conventions';

import type { Content, Presences } from '../openapi-document.js';
import type { Fields } from './resource-schemas.js';

/** A format of errors other than the common one. SPEC §1.4 */
export interface ErrorForm {
  readonly content: (errors: readonly ApiError[]) => Content;
  readonly schemas?: Fields;
  readonly headers?: Presences;
}
