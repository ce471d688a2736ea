/** The member of a page that has the rows, such as `items` or `api_keys`. SPEC §4 */
type Rows<Name extends string, T> = { readonly [N in Name]: readonly T[] };

/** A page of a list in offset style. SPEC §4 */
export type OffsetPage<Name extends string, T> = Rows<Name, T> & {
  /** 1-based. */
  readonly page: number;
  /** Number of rows, at most {@link MAX_PAGE_SIZE}. */
  readonly per_page: number;
  /** Exact number of matching rows. */
  readonly total: number;
};

/** A page of a list in cursor style. SPEC §4 */
export type CursorPage<Name extends string, T> = Rows<Name, T> & {
  /** Number of rows, at most {@link MAX_PAGE_SIZE}. */
  readonly limit: number;
  /** Opaque; absent on the last page. */
  readonly next_cursor?: string;
};

/** Default of `per_page` and `limit`. SPEC §8 */
export const DEFAULT_PAGE_SIZE = 20;
/**
 * Larger values of `per_page` and `limit` are lowered to this, or to a smaller limit of the
 * collection. SPEC §4.1
 */
export const MAX_PAGE_SIZE = 100;
/** Maximum size of the JSON of a page in cursor style, unless it has a single row. SPEC §4.1 */
export const MAX_PAGE_BYTES = 1_048_576;
/** Maximum length of `cursor`. SPEC §4 */
export const MAX_CURSOR_LENGTH = 4096;
