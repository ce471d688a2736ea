import { byId, change } from './rows.js';
import type { Identified, ReplicaStore, StoredCopy } from './store.js';

export function memoryStore<Row extends Identified>(): ReplicaStore<Row> {
  let stored: StoredCopy<Row> | undefined;
  /** The stored rows by id; undefined until `apply` changes them. */
  let rows: Map<string, Row> | undefined;
  return {
    load: () => stored && { ...stored, rows: [...(rows?.values() ?? stored.rows)] },
    apply: ({ position, ...difference }) => {
      if (!stored) return;
      rows ??= byId(stored.rows);
      change(rows, difference);
      stored = { ...stored, rows: [], position };
    },
    replace: (copy) => {
      stored = copy;
      rows = undefined;
    },
  };
}
