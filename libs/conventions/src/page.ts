type Rows<Name extends string, T> = { readonly [N in Name]: readonly T[] };

/** SPEC §4: a page of a list in offset style. */
export type OffsetPage<Name extends string, T> = Rows<Name, T> & {
  readonly page: number;
  readonly per_page: number;
  /** Exact number of matching rows; pages are 1-based. */
  readonly total: number;
};

/** SPEC §4: a page of a list in cursor style. */
export type CursorPage<Name extends string, T> = Rows<Name, T> & {
  readonly limit: number;
  /** Opaque; absent on the last page. */
  readonly next_cursor?: string;
};

/** Default of `per_page` and `limit`. SPEC §8 */
export const DEFAULT_PAGE_SIZE = 20;
/** Larger values of `per_page` and `limit` are lowered to this, or to a smaller limit of the collection. SPEC §4.1 */
export const MAX_PAGE_SIZE = 100;
/** Maximum size of the JSON of a page in cursor style, unless it has a single row. SPEC §4.1 */
export const MAX_PAGE_BYTES = 1_048_576;
export const MAX_CURSOR_LENGTH = 4096;
