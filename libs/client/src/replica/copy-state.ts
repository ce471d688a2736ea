import { change, changeTo, isEmptyChange } from './rows.js';
import type { Change, Identified } from './store.js';

/** docs/keep-a-copy.md explains each status. */
export type ReplicaStatus = 'loading' | 'following' | 'offline' | 'forbidden' | 'stopped';

export interface CopyState<Row> {
  readonly rows: ReadonlyMap<string, Row>;
  readonly listeners: Set<(change: Change<Row>) => void>;
  readonly status: () => ReplicaStatus;
  readonly setStatus: (status: ReplicaStatus) => void;
  /** Whether the rows are a consistent snapshot. */
  readonly isComplete: () => boolean;
  readonly publish: (difference: Change<Row>) => void;
  /**
   * Ids of rows that a load has removed. Until the load is confirmed, the feed may list their last updates, even
   * after `stop` and `start`.
   */
  readonly gone: Set<string>;
  /** Replaces all rows and notifies the listeners of the differences. Keeps a reference to the map. */
  readonly show: (rows: Map<string, Row>) => void;
  readonly forget: () => void;
}

export interface StateListeners {
  readonly onStatus?: ((status: ReplicaStatus) => void) | undefined;
  /** Called with errors that a retry is unlikely to fix, and with failures of the store. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

export function copyState<Row extends Identified>(
  { onStatus, onError }: StateListeners,
  onChange: () => void,
): CopyState<Row> {
  let rows = new Map<string, Row>();
  const gone = new Set<string>();
  const listeners = new Set<(change: Change<Row>) => void>();
  let status: ReplicaStatus = 'stopped';
  let isComplete = false;

  /** Catches errors of the listener, because they must not stop the replica. */
  const notify = <T>(listener: ((value: T) => void) | undefined, value: T): void => {
    try {
      listener?.(value);
    } catch (error) {
      onError?.(error);
    }
  };
  const notifyAll = (difference: Change<Row>): void => {
    if (isEmptyChange(difference)) return;
    for (const listener of listeners) notify(listener, difference);
  };
  const publish = (difference: Change<Row>): void => {
    change(rows, difference);
    notifyAll(difference);
  };
  return {
    get rows() {
      return rows;
    },
    gone,
    listeners,
    status: () => status,
    setStatus: (next) => {
      if (status !== next) {
        status = next;
        notify(onStatus, next);
      }
      onChange();
    },
    isComplete: () => isComplete,
    publish,
    show: (shown) => {
      const difference = changeTo(rows, [...shown.values()]);
      rows = shown;
      isComplete = true;
      notifyAll(difference);
    },
    forget: () => {
      isComplete = false;
      gone.clear();
      publish({ upserted: [], deleted: [...rows.keys()] });
    },
  };
}
