import type { FilterRule } from './filter-rule.js';
import type { RangeBounds, RangeRule } from './range-rule.js';

/** Allowed parameters of a list. SPEC §4.1 */
export interface ListRules {
  /** Fields allowed in `sort`. */
  readonly sortable: readonly string[];
  /** Query parameter → rule for one element of its comma-separated value. */
  readonly filters: Readonly<Record<string, FilterRule>>;
  /** Sortable field → its range. A filter with the name of a range parameter takes precedence. */
  readonly ranges?: Readonly<Record<string, RangeRule>> | undefined;
  /**
   * Maximum number of rows of a page; lowers a larger `per_page` or `limit`. Default: 100. SPEC
   * §4.1
   */
  readonly maxPageSize?: number | undefined;
}

/** One key of `sort`: `-price` is `{ field: 'price', descending: true }`. */
export interface SortKey {
  readonly field: string;
  readonly descending: boolean;
}

/** Field → allowed values, distinct and sorted: equal filters have one form. */
export type ListFilter = Readonly<Record<string, readonly (string | number)[]>>;

/** A range of the first field of `sort`. */
export interface ListRange extends RangeBounds {
  readonly field: string;
}

interface Selection {
  /**
   * Names the caller, such as a user id: without an index for the order, each caller reads one list
   * at a time. Default: all callers share one name.
   */
  readonly caller?: () => string;
  /** Names the writer whose writes the list must show if a standby serves it. Default: none. */
  readonly reader?: () => string;
  /**
   * Arrival of the request, on the clock of `performance`; the response or refusal comes within 5
   * s. Default: now.
   */
  readonly arrivedAtMs?: number | undefined;
  /** Empty: creation order. */
  readonly sort: readonly SortKey[];
  /** The filtered fields, in the order of {@link ListRules.filters}. */
  readonly filter: ListFilter;
}

/** A list in offset style. SPEC §4 */
export interface OffsetRequest extends Selection {
  readonly style: 'offset';
  /** 1 – 2^53 − 1. */
  readonly page: number;
  /** Rows of a page, from 1 to {@link ListRules.maxPageSize}. */
  readonly perPage: number;
}

/** A list in cursor style. SPEC §4 */
export interface CursorRequest extends Selection {
  readonly style: 'cursor';
  /** Rows of a page, from 1 to {@link ListRules.maxPageSize}. */
  readonly limit: number;
  /** On the first field of `sort`; absent for the whole list. */
  readonly range?: ListRange;
  /** As sent, not decoded, 1–4096 characters; absent for the first page. */
  readonly cursor?: string;
}

/** A parsed list request. SPEC §4 */
export type ListRequest = OffsetRequest | CursorRequest;
