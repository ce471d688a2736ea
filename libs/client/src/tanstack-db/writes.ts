import { holds, isReadOnly } from '../collections/comparison.js';
import { PreconditionFailedError } from '../errors/items-api-error.js';
import type { Replica } from '../replica/create-replica.js';
import type { Identified } from '../replica/store.js';
import type { CollectionOptions, MutationParams, WritableSource } from './types.js';

type Writes<Row extends Identified> = Pick<CollectionOptions<Row>, 'onInsert' | 'onUpdate' | 'onDelete'>;

/** Maximum wait for the event of a write: twice the 5 s within which the feed lists it. */
const LISTED_MS = 10_000;

/** Each write resolves after its event has arrived, so that an optimistic row is never replaced by an older one. */
export function writes<Row extends Identified>(source: WritableSource<Row>, replica: Replica<Row>): Writes<Row> {
  const turns = new Map<unknown, Promise<unknown>>();
  /** Runs the writes of a row one after another, because a later write is based on the earlier one. */
  const inTurn = async (key: unknown, run: () => Promise<void>): Promise<void> => {
    const turn = Promise.resolve(turns.get(key))
      .catch(() => undefined)
      .then(run);
    turns.set(key, turn);
    await turn.finally(() => {
      if (turns.get(key) === turn) turns.delete(key);
    });
  };
  const each =
    (run: (mutation: MutationParams<Row>['transaction']['mutations'][number]) => Promise<void>) =>
    async ({ transaction: { mutations } }: MutationParams<Row>): Promise<void> => {
      await Promise.all(mutations.map((mutation) => inTurn(mutation.key, () => run(mutation))));
    };
  const etagOfSeen = async (id: string, seen: object): Promise<string | undefined> => {
    const { data, etag } = await required(source.get?.(id)).withResponse();
    if (holds(data, inputOf(seen))) return etag;
    const message = 'The row has changed since it was read.';
    throw new PreconditionFailedError({ status: 412, code: 'precondition_failed', message });
  };

  return {
    onInsert: each(async ({ modified }) => {
      const { id } = await required(source.create?.(inputOf(modified)));
      await until(replica, () => replica.get(id) !== undefined);
    }),
    onUpdate: each(async ({ original, modified }) => {
      const ifMatch = await etagOfSeen(modified.id, original);
      const before = replica.get(modified.id);
      const { updated_at: writtenAt = '' } = (await required(
        source.replace?.(modified.id, inputOf(modified), { ifMatch }),
      )) as { readonly updated_at?: string };
      await until(replica, () => {
        const row = replica.get(modified.id) as { readonly updated_at?: string } | undefined;
        return row === undefined || (row !== before && (row.updated_at ?? '') >= writtenAt);
      });
    }),
    onDelete: each(async ({ original }) => {
      const { id } = original as Row;
      await required(source.delete?.(id, { ifMatch: await etagOfSeen(id, original) }));
      await until(replica, () => replica.get(id) === undefined);
    }),
  };
}

/** The fields that a user can change: not those that the service or TanStack DB (`$synced`) sets. */
function inputOf(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([field]) => !isReadOnly(field) && !field.startsWith('$')));
}

function required<T>(call: T | undefined): T {
  if (call !== undefined) return call;
  throw new TypeError('The source does not support this write.');
}

function until<Row extends Identified>(replica: Replica<Row>, isReached: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const look = (): void => {
      if (isReached()) end();
    };
    const lookLater = (): void => {
      if (isReached() || !['offline', 'loading'].includes(replica.status)) end();
      else timer = setTimeout(lookLater, LISTED_MS);
    };
    const unsubscribe = replica.subscribe(look);
    let timer = setTimeout(lookLater, LISTED_MS);
    look();
  });
}
