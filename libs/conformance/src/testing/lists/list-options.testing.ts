import { type Item } from '../right-service.testing.js';
import { type ListFault } from './list-fault.testing.js';

export type Key = string | number | null;
/** Compares rows by their sort key only. */
export type Compare = (one: Item, other: Item) => number;

/** Options of lists. All lists are right, unless they have a `fault`, or an order that follows changes. */
export interface Listing {
  /** `keyset`: after the last row; `snapshot`: from the rows of the first page; `offset`: only page numbers. */
  readonly paging: 'keyset' | 'snapshot' | 'offset';
  /** Also serves pages by number. */
  readonly pagesByNumber?: boolean;
  readonly order?: 'oldest' | 'newest' | 'uuid' | 'changed last' | 'changed first';
  /** Returns 400 for `sort`; otherwise any field is a sort key. */
  readonly refusesSort?: boolean;
  readonly nulls?: 'first' | 'last' | 'reversed';
  readonly descending?: 'reverses' | 'is refused' | 'is ignored';
  /** Pages may have fewer rows than requested. */
  readonly endsEarly?: boolean;
  readonly emptyLast?: boolean;
  /** The cursor is the number of the last row. */
  readonly digits?: boolean;
  readonly pastTheEnd?: 'empty' | 'refused' | 'last page';
  readonly defaultSize?: number;
  readonly largestSize?: number;
  readonly refusesUnknown?: boolean;
  readonly fault?: ListFault;
}

export interface Sorted {
  readonly rows: readonly Item[];
  readonly bySort: Compare;
  /** 1, or -1 for the newest first. */
  readonly sign: number;
  readonly history: History;
}

/** Changes of the rows so far. */
export interface History {
  /** Position of each row in the default order. */
  readonly places: Map<string, number | string>;
  readonly replaced: Set<string>;
  changes: number;
  deletions: number;
}
