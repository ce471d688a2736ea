/** One value, or several alternatives. SPEC §4 */
export type OneOrMore<T> = T | readonly T[];

export type Filters = Readonly<Record<string, OneOrMore<string | number | boolean> | undefined>>;

/**
 * A range of numbers or times that includes both ends. It selects cursor style, and must be on the first field of
 * `sort`. SPEC §4.1
 */
export type Between<Field extends string, Value> = {
  readonly [Name in `${Field}_${'min' | 'max'}`]?: Value | undefined;
};

/** A range of texts that have the same first characters. SPEC §4.1 */
export type Beginning<Field extends string> = { readonly [Name in `${Field}_prefix`]?: string | undefined };

type RangeName = `${string}_${'min' | 'max' | 'prefix'}`;

interface Sorted {
  /** `price`, `-price`, `-price,name` or `['-price', 'name']`. */
  readonly sort?: OneOrMore<string> | undefined;
}

export type OffsetQuery<F> = {
  readonly [Name in keyof F as Name extends RangeName ? never : Name]: F[Name];
} & Sorted & {
    /** 1-based. */
    readonly page?: number | undefined;
    /** 1–100, for orders 1–20. The service lowers a greater number and returns the number it used. */
    readonly per_page?: number | undefined;
    readonly limit?: never;
    readonly cursor?: never;
  };

export type CursorQuery<F> = F &
  Sorted & {
    /** 1–100, for orders 1–20. The service lowers a greater number and returns the number it used. */
    readonly limit?: number | undefined;
    /** The `next_cursor` of the previous page. */
    readonly cursor?: string | undefined;
  };

export type WalkQuery<F> = CursorQuery<F>;

/** Returns the query with its question mark, or ''. Joins several values with commas. */
export function queryText(query: Filters = {}): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(',') : String(value)]],
  );
  return given.length === 0 ? '' : `?${String(new URLSearchParams(given))}`;
}

/** Encodes a part of a path. @throws {TypeError} `''`, `.` and `..` would lead to another resource. */
export function pathPart(id: string): string {
  if (typeof id === 'string' && !/^\.{0,2}$/.test(id)) return encodeURIComponent(id);
  throw new TypeError('An id must be a text.');
}
