import type { FilterRule } from './filter-rule.js';

/** What a collection lets its list be asked for. SPEC §4.1 */
export interface ListRules {
  /** Fields that `sort` may name. */
  readonly sortable: readonly string[];
  /** Query parameter → what one element of its comma separated value may be. */
  readonly filters: Readonly<Record<string, FilterRule>>;
}

/** One key of `sort`: `-price` is `{ field: 'price', descending: true }`. */
export interface SortKey {
  readonly field: string;
  readonly descending: boolean;
}

/** Field → the values it may have: distinct and sorted, so that the same filter has one form. */
export type ListFilter = Readonly<Record<string, readonly (string | number)[]>>;

interface Selection {
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
  /** Rows a page, 1–100. */
  readonly perPage: number;
}

/** A list in cursor style. SPEC §4 */
export interface CursorRequest extends Selection {
  readonly style: 'cursor';
  /** Rows a page, 1–100. */
  readonly limit: number;
  /** As sent, not yet decoded, 1–4096 characters; absent for the first page. */
  readonly cursor?: string;
}

/** What a list was asked for. SPEC §4 */
export type ListRequest = OffsetRequest | CursorRequest;
