type Rows<Name extends string, T> = { readonly [N in Name]: readonly T[] };

/** A page of a list in offset style. SPEC §4 */
export type OffsetPage<Name extends string, T> = Rows<Name, T> & {
  /** Number of the page; the first is 1. */
  readonly page: number;
  readonly per_page: number;
  /** Exact number of rows that match. */
  readonly total: number;
};

/** A page of a list in cursor style. SPEC §4 */
export type CursorPage<Name extends string, T> = Rows<Name, T> & {
  readonly limit: number;
  /** Opaque; absent on the last page. */
  readonly next_cursor?: string;
};

/** Default of `per_page` and `limit`. SPEC §8 */
export const DEFAULT_PAGE_SIZE = 20;
/**
 * Maximum of `per_page` and `limit`; a collection may have a smaller one. Larger values are lowered to it. SPEC §4.1
 */
export const MAX_PAGE_SIZE = 100;
/** Maximum size of a page in cursor style, as JSON. Only a page with a single row may exceed it. SPEC §4.1 */
export const MAX_PAGE_BYTES = 1_048_576;
export const MAX_CURSOR_LENGTH = 4096;
