import type { ApiCall } from '../calls/api-call.js';
import type { CallOptions } from '../client-options.js';

export interface Versioned<T> {
  readonly data: T;
  /** Undefined if the response had no `ETag`. */
  readonly etag: string | undefined;
}

/** Fits `useQuery` and `prefetchQuery`. */
export interface QueryOptions<T> {
  readonly queryKey: QueryKey;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<T>;
  /** Off, because the client itself retries. */
  readonly retry: false;
}

/** Fits `useInfiniteQuery`. */
export interface InfiniteQueryOptions<Page> {
  readonly queryKey: QueryKey;
  readonly queryFn: (context: {
    readonly signal: AbortSignal;
    readonly pageParam: string | undefined;
  }) => Promise<Page>;
  readonly initialPageParam: string | undefined;
  readonly getNextPageParam: (page: Page) => string | undefined;
  readonly retry: false;
}

interface Pages<Query, Page> {
  page(
    query: Query & { readonly limit: number; readonly cursor?: string | undefined },
    options: CallOptions,
  ): ApiCall<Page>;
}

/** Rows per page of a walk; fewer if the maximum of the service is lower. */
const PAGE_ROWS = 50;

/**
 * Options for the pages of one walk: each row once, with its values at the time of the first page. A refetch starts a
 * new walk.
 * @param name See `keysOf`.
 * @param lists The collection, such as `client.items`.
 * @throws {ExpiredCursorError} The walk took too long: refetch.
 */
export function infiniteQueryOptions<Query extends object, Page extends object>(
  name: string | readonly string[],
  lists: Pages<Query, Page>,
  query: Query,
): InfiniteQueryOptions<Page> {
  return {
    queryKey: keysOf(name).list(query),
    queryFn: ({ signal, pageParam }) => lists.page({ limit: PAGE_ROWS, ...query, cursor: pageParam }, { signal }),
    initialPageParam: undefined,
    getNextPageParam: (page) => ('next_cursor' in page ? (page.next_cursor as string | undefined) : undefined),
    retry: false,
  };
}

/** Options for one resource with its ETag. @param name See `keysOf`. */
export function queryOptions<T>(
  name: string | readonly string[],
  collection: { get(id: string, options: CallOptions): ApiCall<T> },
  id: string,
): QueryOptions<Versioned<T>> {
  return {
    queryKey: keysOf(name).detail(id),
    queryFn: ({ signal }) => versioned(collection.get(id, { signal })),
    retry: false,
  };
}

export async function versioned<T>(call: ApiCall<T>): Promise<Versioned<T>> {
  const { data, etag } = await call.withResponse();
  return { data, etag };
}

export type QueryKey = readonly unknown[];

/** `all` is a prefix of every key, `lists` of every `list(query)`. */
export interface QueryKeys {
  readonly all: QueryKey;
  readonly lists: QueryKey;
  list(query: object): QueryKey;
  detail(id: string): QueryKey;
}

/** @param name Name of the collection, or its path in parts: `items`, `['users', id, 'orders']`. */
export function keysOf(name: string | readonly string[]): QueryKeys {
  const all = [name].flat();
  const lists = [...all, 'list'];
  return {
    all,
    lists,
    list: (query) => [...lists, query],
    detail: (id) => [...all, 'detail', id],
  };
}
