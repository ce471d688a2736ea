import type { ApiError } from '@items/errors';
import type { ListRules } from '@items/paging';

import type { Fields } from './resource-schemas.js';

/** As much of a collection's definition as its description needs. */
export interface DescribedCollection extends ListRules {
  /** The list member: `api_keys`. */
  readonly name: string;
  /** One member, in words: `API key`. */
  readonly singular: string;
}

/** What a collection says beside its definition. */
export interface CollectionNotes {
  /** Fields that the service sets beside `id`, `created_at` and `updated_at`. */
  readonly fields?: Fields;
  /** Whether members never change, and so have no `updated_at`. */
  readonly unchanging?: boolean;
  /** Fields that only the answer to the creation has: secrets. */
  readonly secrets?: Fields;
  /** Errors of every operation beyond those of every collection. */
  readonly errors?: readonly ApiError[];
  /** Errors of PUT and DELETE beyond those of every collection. */
  readonly changeErrors?: readonly ApiError[];
  /** Errors of POST and PUT beyond those of every collection. */
  readonly writeErrors?: readonly ApiError[];
}
