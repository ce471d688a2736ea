import type { ReplicaStore } from '../store.js';
import type { Life } from './faulty-network.testing.js';
import type { ModelRow } from './model-of-service.testing.js';
import type { Seeded } from './seeded.testing.js';
import type { VirtualTime } from './virtual-time.testing.js';

/** The stored state, which survives a crash of the program. */
export interface Disk {
  rows: readonly ModelRow[];
  /** Empty if nothing is stored. */
  position: string;
  isSlow: boolean;
}

export type StoreMutation = 'position before rows' | undefined;

/** A store whose program may crash at any `await`: before a write, after it, or (in a mutant) during it. */
export function crashingStore(
  disk: Disk,
  life: Life,
  time: VirtualTime,
  random: Seeded,
  mutation?: StoreMutation,
): ReplicaStore<ModelRow> {
  let calls = 0;
  const moment = async (): Promise<void> => {
    await time.sleep(random.between(0, disk.isSlow && random.chance(0.2) ? 1500 : 30));
    if (life.isOver) await new Promise(() => undefined);
  };
  const alone = async <T>(run: () => Promise<T>): Promise<T> => {
    calls += 1;
    if (calls > 1) throw new Error('Two calls of the store overlap');
    try {
      await moment();
      const result = await run();
      await moment();
      return result;
    } finally {
      calls -= 1;
    }
  };
  const write = async (rows: readonly ModelRow[], position: string): Promise<void> => {
    disk.position = position;
    if (mutation === 'position before rows') await moment();
    disk.rows = rows;
  };

  return {
    load: () => alone(async () => Promise.resolve({ rows: disk.rows, position: disk.position })),
    apply: ({ upserted, deleted, position }) =>
      alone(async () => {
        const rows = new Map(disk.rows.map((row) => [row.id, row]));
        for (const row of upserted) rows.set(row.id, row);
        for (const id of deleted) rows.delete(id);
        await write([...rows.values()], position);
      }),
    replace: ({ rows, position }) => alone(() => write(rows, position)),
  };
}
