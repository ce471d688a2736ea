import { useEffect, useMemo } from 'preact/hooks';

import { useConsole } from '../console.js';
import type { Collection } from '../document/collection.js';
import { useStore } from '../parts/store.js';
import type { ListQuery } from './list-query.js';
import type { Walk } from './walk.js';

/** Opens a list, or returns to it. @param least Number of rows to load at least. */
export function useWalk(collection: Collection, path: string, query: ListQuery, least?: number): Walk {
  const { walks, labels } = useConsole();
  const key = JSON.stringify(query);
  const walk = useMemo(() => walks.open(collection, path.slice(1), query, least), [collection, path, key]);
  const { rows } = useStore(walk.state);
  useEffect(() => labels.learn(collection, rows), [labels, collection, rows]);
  return walk;
}
