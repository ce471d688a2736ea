import type { Identified, ReplicaStore } from './store.js';

export function memoryStore<Row extends Identified>(): ReplicaStore<Row> {
  let rows = new Map<string, Row>();
  let stored: { origin: string; position: string } | undefined;
  return {
    load: (origin) => (stored?.origin === origin ? { rows: [...rows.values()], position: stored.position } : undefined),
    apply: ({ upserted, deleted, position }) => {
      for (const row of upserted) rows.set(row.id, row);
      for (const id of deleted) rows.delete(id);
      if (stored) stored.position = position;
    },
    replace: (copy) => {
      rows = new Map();
      for (const row of copy.rows) rows.set(row.id, row);
      stored = { origin: copy.origin, position: copy.position };
    },
  };
}
