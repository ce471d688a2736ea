import type { Change, Identified, ReplicaStore, StoredCopy } from '../store.js';
import { inTransaction, openDatabase } from './database.js';
import { shareBetweenTabs } from './share.js';

/** The only record of the object store `state`. */
interface State {
  readonly position: string;
  /** Id of the page that may write: the last page that called `load`. */
  readonly writer: string;
  readonly version: number;
}

/**
 * Stores a copy in IndexedDB. Tabs share a copy by its name, and one of them follows the service.
 * @param name Name of the copy in this browser.
 * @param options Owner of the rows, unless it is passed to `createReplica`.
 */
export function indexedDbStore<Row extends Identified>(
  name: string,
  { owner }: { readonly owner?: string | undefined } = {},
): ReplicaStore<Row> {
  const me = Array.from(crypto.getRandomValues(new Uint32Array(4))).join();
  let database: Promise<IDBDatabase> | undefined;
  let onWrite: ((version: number, change?: Change<Row>) => void) | undefined;
  /** Called when another page has become the writer. */
  let onLost: (() => void) | undefined;

  const transact = async <T>(run: Parameters<typeof inTransaction<T>>[1]): Promise<T> =>
    inTransaction(await (database ??= openDatabase(`items-replica:${name}`)), run);
  const read = (newWriter?: string): Promise<StoredCopy<Row> & { version: number }> =>
    transact(async ({ rows, state, result }) => {
      const stored = (await result(state.get(0))) as State | undefined;
      const { version = 0, position = '' } = stored ?? {};
      if (newWriter) state.put({ position, version, writer: newWriter } satisfies State, 0);
      return { rows: (await result(rows.getAll())) as Row[], position, version };
    });
  const write = async (change: Change<Row> & { readonly position: string }, isWhole: boolean): Promise<void> => {
    const version = await transact(async ({ rows, state, result }) => {
      const stored = (await result(state.get(0))) as State | undefined;
      if (stored?.writer !== me) {
        onLost?.();
        throw new Error('Another page writes the copy with this name');
      }
      if (isWhole) rows.clear();
      for (const row of change.upserted) rows.put(row, row.id);
      for (const id of change.deleted) rows.delete(id);
      state.put({ ...stored, position: change.position, version: stored.version + 1 } satisfies State, 0);
      return stored.version + 1;
    });
    onWrite?.(version, isWhole ? undefined : { upserted: change.upserted, deleted: change.deleted });
  };
  const load = (): Promise<StoredCopy<Row> & { version: number }> => read(me);

  return {
    owner,
    load,
    apply: (change) => write(change, false),
    replace: ({ rows, position }) => write({ upserted: rows, deleted: [], position }, true),
    close: () => {
      database?.then((open) => open.close()).catch(() => undefined);
      database = undefined;
    },
    share: (origin, peer, signal) =>
      shareBetweenTabs(`items-replica:${name}:${origin}`, peer, signal, {
        read,
        lead: load,
        onWrite: (listener) => (onWrite = listener),
        onLost: (listener) => (onLost = listener),
      }),
  };
}
