import type { ApiError } from '@items/conventions';
import type { DtoClass } from '@items/fields';
import type { ListRules } from '@items/paging';

import type { Fields } from './resource-schemas.js';

/** As much of a collection's definition as its description needs. */
export interface DescribedCollection extends ListRules {
  /** The list member: `api_keys`. */
  readonly name: string;
  /** One member, in words: `API key`. */
  readonly singular: string;
  /** The class whose decorators say what the fields are. */
  readonly dto: DtoClass;
  /** Whether members never change, and so have no `updated_at`. */
  readonly immutable: boolean;
}

/** What a collection says beside its definition. */
export interface CollectionDescription {
  /** Fields that only the answer to the creation has: secrets. */
  readonly secrets?: Fields;
  /** Whether some of its members have no secrets. */
  readonly mayLackSecrets?: boolean;
  /** Fields that only some responses have. */
  readonly sometimes?: Fields;
  /** What PUT does with a field that is left out, where it does not become null. */
  readonly replaces?: string;
  /** Errors of every operation beyond those of every collection. */
  readonly errors?: readonly ApiError[];
  /** Errors of PUT and DELETE beyond those of every collection. */
  readonly changeErrors?: readonly ApiError[];
  /** Of DELETE alone. */
  readonly deleteErrors?: readonly ApiError[];
  /** Errors of POST and PUT beyond those of every collection. */
  readonly writeErrors?: readonly ApiError[];
}
