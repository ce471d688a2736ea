import { type Item } from '../right-service.testing.js';
import { type ListFault } from './list-fault.testing.js';

export type Key = string | number | null;
/** Compares rows by their sort key, and by nothing else. */
export type Compare = (one: Item, other: Item) => number;

/** How a service lists: all of these are right, unless `fault` names what is wrong, or the order is one of changes. */
export interface Listing {
  /** `keyset`: behind the last row; `snapshot`: the rows of the first page; `offset`: page numbers alone. */
  readonly paging: 'keyset' | 'snapshot' | 'offset';
  /** Pages by number as well. */
  readonly pagesByNumber?: boolean;
  readonly order?: 'oldest' | 'newest' | 'uuid' | 'changed last' | 'changed first';
  /** Refuses `sort` by 400; otherwise sorts by any field. */
  readonly refusesSort?: boolean;
  readonly nulls?: 'first' | 'last' | 'reversed';
  /** What a descending sort does. */
  readonly descending?: 'reverses' | 'is refused' | 'is ignored';
  /** Pages that have fewer rows than they may have. */
  readonly endsEarly?: boolean;
  /** The last page is empty. */
  readonly emptyLast?: boolean;
  /** The cursor is the number of the last row, in digits. */
  readonly digits?: boolean;
  readonly pastTheEnd?: 'empty' | 'refused' | 'last page';
  readonly defaultSize?: number;
  readonly largestSize?: number;
  readonly refusesUnknown?: boolean;
  readonly fault?: ListFault;
}

/** Rows of a list, and how they are compared. */
export interface Sorted {
  readonly rows: readonly Item[];
  readonly bySort: Compare;
  /** 1, or -1 for the newest first. */
  readonly sign: number;
  readonly history: History;
}

/** What has happened to the rows. */
export interface History {
  /** Place of each row in the default order. */
  readonly places: Map<string, number | string>;
  readonly replaced: Set<string>;
  changes: number;
  deletions: number;
}
