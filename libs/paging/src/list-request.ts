import type { FilterRule } from './filter-rule.js';
import type { RangeBounds, RangeRule } from './range-rule.js';

/** Allowed parameters of a list. SPEC §4.1 */
export interface ListRules {
  readonly sortable: readonly string[];
  /** Query parameter → rule for one element of its comma-separated value. */
  readonly filters: Readonly<Record<string, FilterRule>>;
  /** Sortable field → its range. A filter with the name of a range parameter takes precedence. */
  readonly ranges?: Readonly<Record<string, RangeRule>> | undefined;
  /** Lowers a larger `per_page` or `limit`. Default: 100. SPEC §4.1 */
  readonly maxPageSize?: number | undefined;
}

/** `-price` is `{ field: 'price', descending: true }`. */
export interface SortKey {
  readonly field: string;
  readonly descending: boolean;
}

/** Field → values that match, distinct and sorted, so that equal filters have one form. */
export type ListFilter = Readonly<Record<string, readonly (string | number)[]>>;

export interface ListRange extends RangeBounds {
  readonly field: string;
}

interface Selection {
  /**
   * Fairness key of the caller, such as a user id: lists whose order has no index are read one at a time for each key.
   * Default: one key for all callers.
   */
  readonly caller?: () => string;
  /** Id of the caller, whose own writes a standby must show. Default: none. */
  readonly reader?: () => string;
  /** `performance.now()` at the arrival of the request. After 5 s, a list without an index is 503. Default: now. */
  readonly arrivedAtMs?: number | undefined;
  /** Empty for the order of creation. */
  readonly sort: readonly SortKey[];
  /** In the order of {@link ListRules.filters}. */
  readonly filter: ListFilter;
}

export interface OffsetRequest extends Selection {
  readonly style: 'offset';
  readonly page: number;
  /** From 1 to {@link ListRules.maxPageSize}. */
  readonly perPage: number;
}

export interface CursorRequest extends Selection {
  readonly style: 'cursor';
  /** From 1 to {@link ListRules.maxPageSize}. */
  readonly limit: number;
  /** A range of the first field of `sort`; absent for the whole list. */
  readonly range?: ListRange;
  /** Not decoded, 1–4096 characters; absent for the first page. */
  readonly cursor?: string;
}

/** A parsed list request. SPEC §4 */
export type ListRequest = OffsetRequest | CursorRequest;
