/** TanStack Query compares keys by their JSON. */
export type QueryKey = readonly unknown[];

/** `all` is a prefix of every key, `lists` of every `list(query)`. */
export interface QueryKeys {
  readonly all: QueryKey;
  readonly lists: QueryKey;
  list(query: object): QueryKey;
  detail(id: string): QueryKey;
}

/** @param name Of the collection, or its path in parts: `items`, `['users', id, 'orders']`. */
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
