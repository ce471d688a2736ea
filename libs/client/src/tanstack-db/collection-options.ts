import { createReplica, type Replica } from '../replica/create-replica.js';
import type { Identified } from '../replica/store.js';
import type { CollectionOptions, ReplicaCollectionOptions, SyncParams } from './types.js';
import { writes } from './writes.js';

/** Options for a TanStack DB collection with the rows of a replica. @throws {TypeError} As `createReplica`. */
export function replicaCollectionOptions<Row extends Identified>({
  id,
  ...options
}: ReplicaCollectionOptions<Row>): CollectionOptions<Row> {
  const replica = createReplica(options);
  return {
    ...(id !== undefined && { id }),
    getKey: (row) => row.id,
    sync: { sync: (params) => sync(replica, params), rowUpdateMode: 'full' },
    ...writes(options.source, replica),
    utils: { replica },
  };
}

function sync<Row extends Identified>(replica: Replica<Row>, params: SyncParams<Row>): () => void {
  const { begin, write, commit, markReady, markError = markReady } = params;
  const shown = new Map<string, Row>();
  const show = (upserted: readonly Row[], deleted: readonly string[]): void => {
    begin();
    for (const row of upserted) {
      write({ type: shown.has(row.id) ? 'update' : 'insert', value: row });
      shown.set(row.id, row);
    }
    for (const key of deleted) {
      const value = shown.get(key);
      if (value) write({ type: 'delete', value });
      shown.delete(key);
    }
    commit();
  };
  show(replica.all(), []);
  const unsubscribe = replica.subscribe(({ upserted, deleted }) => show(upserted, deleted));
  let hasEnded = false;
  replica.start().then(markReady, (error: unknown) => {
    if (!hasEnded) markError(error);
  });
  return () => {
    hasEnded = true;
    unsubscribe();
    void replica.stop();
  };
}
