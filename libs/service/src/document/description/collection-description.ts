import type { ApiError } from '@items/conventions';
import type { DtoClass } from '@items/fields';
import type { ListRules } from '@items/paging';

import type { StoredReference } from '../../data/definition/references.js';
import type { Fields } from './resource-schemas.js';

export interface DescribedCollection extends ListRules {
  /** Name of the array in a list: `api_keys`. */
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
  /** Only the response to the creation has these fields. */
  readonly secrets?: Fields;
  readonly mayLackSecrets?: boolean;
  /** Fields that only some responses have. */
  readonly sometimes?: Fields;
  /** The route `POST :id/rotations`, which gives a member a new secret. */
  readonly rotation?: Readonly<Record<'id' | 'summary' | 'description', string>> & {
    readonly errors?: readonly ApiError[];
  };
  /** How PUT treats omitted fields, if they do not become null. */
  readonly replaces?: string;
  readonly errors?: readonly ApiError[];
  readonly changeErrors?: readonly ApiError[];
  readonly deleteErrors?: readonly ApiError[];
  readonly writeErrors?: readonly ApiError[];
}
