import type { FilterRule } from './filter-rule.js';
import type { RangeBounds, RangeRule } from './range-rule.js';

/** What a collection lets its list be asked for. SPEC §4.1 */
export interface ListRules {
  /** Fields that `sort` may name. */
  readonly sortable: readonly string[];
  /** Query parameter → what one element of its comma separated value may be. */
  readonly filters: Readonly<Record<string, FilterRule>>;
  /** Sortable field → how the list is narrowed to a range of it. A filter of the same name as a parameter goes first. */
  readonly ranges?: Readonly<Record<string, RangeRule>> | undefined;
  /** Most rows a page; a larger `per_page` or `limit` is served as this. 100 where it is left out. SPEC §4.1 */
  readonly maxPageSize?: number | undefined;
}

/** One key of `sort`: `-price` is `{ field: 'price', descending: true }`. */
export interface SortKey {
  readonly field: string;
  readonly descending: boolean;
}

/** Field → the values it may have: distinct and sorted, so that the same filter has one form. */
export type ListFilter = Readonly<Record<string, readonly (string | number)[]>>;

/** The part of its order that a list is narrowed to: of the first field of `sort`. */
export interface ListRange extends RangeBounds {
  readonly field: string;
}

interface Selection {
  /**
   * Names the caller, such as the id of a user: without an index for the order, each caller reads one list at a time.
   * Where it is left out, all such callers are one.
   */
  readonly caller?: () => string;
  /** Says whose writes the list is to show, where a standby may answer. Where it is left out, none does. */
  readonly reader?: () => string;
  /** When the request arrived, on the clock of `performance`: it is answered, or refused, within 5 s of that. Now if absent. */
  readonly arrivedAtMs?: number | undefined;
  /** Empty: creation order. */
  readonly sort: readonly SortKey[];
  /** Only the fields that the request narrows, in the order of {@link ListRules.filters}. */
  readonly filter: ListFilter;
}

/** A list in offset style. SPEC §4 */
export interface OffsetRequest extends Selection {
  readonly style: 'offset';
  /** 1 – 2^53 − 1. */
  readonly page: number;
  /** Rows a page, from 1 to {@link ListRules.maxPageSize}. */
  readonly perPage: number;
}

/** A list in cursor style. SPEC §4 */
export interface CursorRequest extends Selection {
  readonly style: 'cursor';
  /** Rows a page, from 1 to {@link ListRules.maxPageSize}. */
  readonly limit: number;
  /** On the first field of `sort`; absent where the whole list is asked for. */
  readonly range?: ListRange;
  /** As sent, not yet decoded, 1–4096 characters; absent for the first page. */
  readonly cursor?: string;
}

/** What a list was asked for. SPEC §4 */
export type ListRequest = OffsetRequest | CursorRequest;
