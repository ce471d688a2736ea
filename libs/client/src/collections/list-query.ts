/** One value, or several of which a row has one. SPEC §4 */
export type OneOrMore<T> = T | readonly T[];

/** Filters of a collection: name → value. */
export type Filters = Readonly<Record<string, OneOrMore<string | number | boolean> | undefined>>;

/** Numbers or times of a field, both ends included: what the first field of `sort` is narrowed to, in cursor style. SPEC §4.1 */
export type Between<Field extends string, Value> = {
  readonly [Name in `${Field}_${'min' | 'max'}`]?: Value | undefined;
};

/** What texts of a field begin with: the same of a text. SPEC §4.1 */
export type Beginning<Field extends string> = { readonly [Name in `${Field}_prefix`]?: string | undefined };

type RangeName = `${string}_${'min' | 'max' | 'prefix'}`;

interface Sorted {
  /** `price`, `-price`, `-price,name` or `['-price', 'name']`. */
  readonly sort?: OneOrMore<string> | undefined;
}

/** A page by its number. SPEC §4 offset style */
export type OffsetQuery<F> = {
  readonly [Name in keyof F as Name extends RangeName ? never : Name]: F[Name];
} & Sorted & {
    /** 1-based. */
    readonly page?: number | undefined;
    /** 1–100, of orders 1–20; the service serves more as its maximum, and the page says so. */
    readonly per_page?: number | undefined;
    readonly limit?: never;
    readonly cursor?: never;
  };

/** A page by what came before it. SPEC §4 cursor style */
export type CursorQuery<F> = F &
  Sorted & {
    /** 1–100, of orders 1–20; the service serves more as its maximum, and the page says so. */
    readonly limit?: number | undefined;
    /** The `next_cursor` of the page before. */
    readonly cursor?: string | undefined;
  };

/** What a walk goes through. */
export type WalkQuery<F> = CursorQuery<F>;

/** The query of a URL, with its question mark; several values are joined by commas. */
export function queryText(query: Filters = {}): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(',') : String(value)]],
  );
  return given.length === 0 ? '' : `?${String(new URLSearchParams(given))}`;
}

/** A part of a path. @throws {TypeError} what would lead to another resource. */
export function pathPart(id: string): string {
  if (typeof id === 'string' && !/^\.{0,2}$/.test(id)) return encodeURIComponent(id);
  throw new TypeError('An id must be a text.');
}
