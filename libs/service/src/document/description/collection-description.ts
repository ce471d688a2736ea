import type { ApiError } from '@items/conventions';
import type { DtoClass } from '@items/fields';
import type { ListRules } from '@items/paging';

import type { StoredReference } from '../../data/definition/references.js';
import type { Fields } from './resource-schemas.js';

export interface DescribedCollection extends ListRules {
  /** Name of the array in a page: `api_keys`. */
  readonly name: string;
  /** Name of one member: `API key`. */
  readonly singular: string;
  readonly dto: DtoClass;
  readonly immutable: boolean;
  readonly references?: readonly StoredReference[];
  readonly unique?: readonly { readonly fields: readonly string[] }[];
}

/** Details of a collection that its definition lacks. */
export interface CollectionDescription {
  /** Fields that only the response to POST has. */
  readonly secrets?: Fields;
  readonly mayLackSecrets?: boolean;
  /** Fields that only some responses have. */
  readonly sometimes?: Fields;
  /** The route `POST :id/rotations`, which gives a member a new secret. */
  readonly rotation?: Readonly<Record<'id' | 'summary' | 'description', string>> & {
    readonly errors?: readonly ApiError[];
  };
  /** Sentence on how PUT treats omitted fields. Default: they become null. */
  readonly replaces?: string;
  readonly errors?: readonly ApiError[];
  readonly changeErrors?: readonly ApiError[];
  readonly deleteErrors?: readonly ApiError[];
  readonly writeErrors?: readonly ApiError[];
}
