import type { ApiError } from '@items/conventions';
import type { DtoClass } from '@items/fields';
import type { ListRules } from '@items/paging';

import type { StoredReference } from '../../data/definition/references.js';
import type { Fields } from './resource-schemas.js';

/** The part of a collection's definition that its description needs. */
export interface DescribedCollection extends ListRules {
  /** Name of the array in a list: `api_keys`. */
  readonly name: string;
  /** Name of one member: `API key`. */
  readonly singular: string;
  /** Class whose decorators declare the fields. */
  readonly dto: DtoClass;
  /** Whether members never change, and so have no `updated_at`. */
  readonly immutable: boolean;
  /** Fields with ids of other members, and the parent. */
  readonly references?: readonly StoredReference[];
  /** Keys of one or several fields whose values no two members share. */
  readonly unique?: readonly { readonly fields: readonly string[] }[];
}

/** Details of a collection that its definition lacks. */
export interface CollectionDescription {
  /** Fields that only the response to the creation has: secrets. */
  readonly secrets?: Fields;
  /** Whether some members have no secrets. */
  readonly mayLackSecrets?: boolean;
  /** Fields that only some responses have. */
  readonly sometimes?: Fields;
  /** The route `POST :id/rotations`, which gives a member a new secret. */
  readonly rotation?: Readonly<Record<'id' | 'summary' | 'description', string>> & {
    readonly errors?: readonly ApiError[];
  };
  /** How PUT treats omitted fields, if they do not become null. */
  readonly replaces?: string;
  /** Additional errors of every operation. */
  readonly errors?: readonly ApiError[];
  /** Additional errors of PUT and DELETE. */
  readonly changeErrors?: readonly ApiError[];
  /** Additional errors of DELETE. */
  readonly deleteErrors?: readonly ApiError[];
  /** Additional errors of POST and PUT. */
  readonly writeErrors?: readonly ApiError[];
}
