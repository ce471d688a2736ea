import { useEffect, useMemo } from 'preact/hooks';

import { useConsole } from '../console.js';
import type { Collection } from '../document/collection.js';
import type { ListQuery } from './list-query.js';
import type { Walk } from './walk.js';

/** Opens a list, or returns to it. @param rows The least number of rows to load. */
export function useWalk(collection: Collection, path: string, query: ListQuery, rows?: number): Walk {
  const { walks, labels } = useConsole();
  const key = JSON.stringify(query);
  const walk = useMemo(() => walks.open(collection, path.slice(1), query, rows), [collection, path, key]);
  useEffect(
    () => walk.state.subscribe(() => labels.learn(collection, walk.state.value.rows)),
    [walk, labels, collection],
  );
  return walk;
}
