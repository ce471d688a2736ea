/** Name of the list member of a collection, such as `items` or `api_keys`. SPEC §4 */
type Rows<Name extends string, T> = { readonly [N in Name]: readonly T[] };

/** A page of a list in offset style. SPEC §4 */
export type OffsetPage<Name extends string, T> = Rows<Name, T> & {
  /** 1-based. */
  readonly page: number;
  /** Rows a page, after the cap of {@link MAX_PAGE_SIZE}. */
  readonly per_page: number;
  /** Exact number of rows that match. */
  readonly total: number;
};

/** A page of a list in cursor style. SPEC §4 */
export type CursorPage<Name extends string, T> = Rows<Name, T> & {
  /** Rows a page, after the cap of {@link MAX_PAGE_SIZE}. */
  readonly limit: number;
  /** Opaque; absent on the last page. */
  readonly next_cursor?: string;
};

/** `per_page` and `limit` where none is given. SPEC §8 */
export const DEFAULT_PAGE_SIZE = 20;
/** A larger `per_page` or `limit` is served as this, or less where the collection says so. SPEC §4.1 */
export const MAX_PAGE_SIZE = 100;
/** A page in cursor style is shorter, in bytes of its JSON, unless it has but one member. SPEC §4.1 */
export const MAX_PAGE_BYTES = 1_048_576;
/** Longest `cursor`, in characters. SPEC §4 */
export const MAX_CURSOR_LENGTH = 4096;
