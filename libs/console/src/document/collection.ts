import type { Field } from './field.js';
import type { Method, Operation } from './openapi.js';

/** An operation that changes something, with the fields of its form. */
export interface Action {
  readonly method: Method;
  readonly path: string;
  readonly operation: Operation;
  readonly title: string;
  readonly fields: readonly Field[];
  /** Fields of the response that are shown only once. */
  readonly secrets: readonly string[];
}

/** A filter or an end of a range. */
export interface Filter {
  readonly name: string;
  /** `min`, `max` and `prefix` need a list that is sorted by `field`. */
  readonly kind: 'equal' | 'min' | 'max' | 'prefix';
  readonly field: string;
  readonly type: 'text' | 'number' | 'time' | 'choice';
  readonly choices: readonly string[];
}

/** A list of the document, with its members. */
export interface Collection {
  /** Template, such as `/users/{user_id}/orders`. */
  readonly path: string;
  /** The member of a page that holds the rows. */
  readonly listName: string;
  readonly title: string;
  /** One member in words: `API key`. */
  readonly noun: string;
  /** The object of events: `api_key`. */
  readonly singular: string;
  readonly fields: readonly Field[];
  readonly list: Operation;
  readonly sorts: readonly string[];
  readonly filters: readonly Filter[];
  readonly hasTotal: boolean;
  /** Template of a member's path; undefined if members have no path. */
  readonly memberPath: string | undefined;
  readonly get: Operation | undefined;
  readonly create: Action | undefined;
  readonly replace: Action | undefined;
  readonly remove: Operation | undefined;
  readonly actions: readonly Action[];
  /** Paths of the lists below a member. */
  readonly children: readonly string[];
}
