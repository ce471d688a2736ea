import { useEffect, useMemo } from 'preact/hooks';

import type { Collection } from '../document/model.js';
import { session } from '../session.js';
import type { List } from './list.js';
import type { ListQuery } from './list-query.js';

/** Opens a list, from memory if possible. @param least Minimum number of rows to load. */
export function useList(collection: Collection, path: string, query: ListQuery, least?: number): List {
  const { lists, labels } = session;
  const list = useMemo(() => lists.open(collection, path, query, least), [collection, path, JSON.stringify(query)]);
  const { rows } = list.state.value;
  useEffect(() => labels.learn(collection, rows), [collection, rows]);
  return list;
}
