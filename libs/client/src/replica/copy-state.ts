import { change, changeTo } from './rows.js';
import type { Change, Identified } from './store.js';

/** What a replica does: see the page "Keep a copy". */
export type ReplicaStatus = 'loading' | 'following' | 'offline' | 'forbidden' | 'stopped';

/** The rows of a replica, its status, and who is told of both. */
export interface CopyState<Row> {
  readonly rows: Map<string, Row>;
  readonly listeners: Set<(change: Change<Row>) => void>;
  readonly status: () => ReplicaStatus;
  readonly setStatus: (status: ReplicaStatus) => void;
  /** Whether the rows are those of one moment. */
  readonly isComplete: () => boolean;
  /** Makes a change and tells of it. */
  readonly publish: (difference: Change<Row>) => void;
  /** Makes the rows those of another copy, and tells of the differences. @returns the ids that it has removed. */
  readonly show: (rows: readonly Row[]) => ReadonlySet<string>;
  /** Removes all rows; the copy is no longer complete. */
  readonly forget: () => void;
}

/** Who is told of what happens. */
export interface StateListeners {
  readonly onStatus?: ((status: ReplicaStatus) => void) | undefined;
  readonly onError?: ((error: unknown) => void) | undefined;
}

export function copyState<Row extends Identified>(
  { onStatus, onError }: StateListeners,
  onChange: () => void,
): CopyState<Row> {
  const rows = new Map<string, Row>();
  const listeners = new Set<(change: Change<Row>) => void>();
  let status: ReplicaStatus = 'stopped';
  let isComplete = false;

  /** A listener that throws must not stop the copy. */
  const tell = <T>(listener: ((news: T) => void) | undefined, news: T): void => {
    try {
      listener?.(news);
    } catch (error) {
      onError?.(error);
    }
  };
  const publish = (difference: Change<Row>): void => {
    change(rows, difference);
    if (difference.upserted.length + difference.deleted.length === 0) return;
    for (const listener of listeners) tell(listener, difference);
  };
  return {
    rows,
    listeners,
    status: () => status,
    setStatus: (next) => {
      if (status !== next) {
        status = next;
        tell(onStatus, next);
      }
      onChange();
    },
    isComplete: () => isComplete,
    publish,
    show: (shown) => {
      const difference = changeTo(rows, new Map(shown.map((row) => [row.id, row])));
      isComplete = true;
      publish(difference);
      return new Set(difference.deleted);
    },
    forget: () => {
      isComplete = false;
      publish({ upserted: [], deleted: [...rows.keys()] });
    },
  };
}
