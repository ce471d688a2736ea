import { useEffect, useMemo } from 'preact/hooks';

import type { Collection } from '../document/model.js';
import { session } from '../session.js';
import type { List } from './list.js';
import type { ListQuery } from './list-query.js';

/** Opens a list, or returns to it. @param least Number of rows to load at least. */
export function useList(collection: Collection, path: string, query: ListQuery, least?: number): List {
  const { lists, labels } = session;
  const list = useMemo(() => lists.open(collection, path, query, least), [collection, path, JSON.stringify(query)]);
  const { rows } = list.state.value;
  useEffect(() => labels.learn(collection, rows), [collection, rows]);
  return list;
}
