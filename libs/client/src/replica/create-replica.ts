import { sourceOf } from '../collections/reach.js';
import { copyState, type ReplicaStatus, type StateListeners } from './copy-state.js';
import { loadAndFollow } from './load-and-follow.js';
import { isForbidden } from './requests.js';
import { byId } from './rows.js';
import type { Change, Identified, Peer, ReplicaStore, StoredCopy } from './store.js';

/** A collection whose events contain the whole resource, such as `client.items`. */
export interface ReplicaSource<Row> {
  walk(): AsyncGenerator<Row, void, undefined>;
}

export interface ReplicaOptions<Row extends Identified> extends StateListeners {
  readonly source: ReplicaSource<Row>;
  readonly store: ReplicaStore<Row>;
  /** Owner of the rows, such as the id of the user. Required for a persistent store without an owner. */
  readonly owner?: string | undefined;
}

export interface Replica<Row> {
  readonly status: ReplicaStatus;
  readonly size: number;
  get(id: string): Row | undefined;
  /** Oldest first. */
  all(): Row[];
  /** Calls the listener after each change. @returns A function that ends the subscription. */
  subscribe(listener: (change: Change<Row>) => void): () => void;
  /**
   * Resolves when the copy is complete. With a stored copy, resolves even while the service is unreachable.
   * @throws {ItemsApiError} The first load failed because the credential lacks permission.
   * @throws {DOMException} `stop` was called.
   */
  start(): Promise<void>;
  /** Stops the replica and retains the rows. */
  stop(): Promise<void>;
  /** Stops the replica and deletes the rows. */
  clear(): Promise<void>;
}

const NOTHING = { rows: [], position: '' };
/** Unsupported collections: below the top level, or with events that contain only a part of the resource. */
const UNFIT = /\/|^(users|webhooks)$/;

/**
 * Sends nothing until `start()`.
 * @throws {TypeError} The events of the source do not contain the whole resource, or the store needs an owner.
 */
export function createReplica<Row extends Identified>(options: ReplicaOptions<Row>): Replica<Row> {
  const { source, store, onError } = options;
  const known = sourceOf(source);
  if (known?.events === undefined || UNFIT.test(known.path)) {
    throw new TypeError('source must be a top-level collection whose events contain the whole row.');
  }
  const owner = options.owner ?? store.owner;
  if ('owner' in store && owner === undefined) throw new TypeError('A persistent store needs an owner.');
  const origin = JSON.stringify([known.reach.baseUrl, known.path, owner]);
  let run: Run | undefined;
  /** Settles with the last task. Tasks run one after another, so that calls of the store never overlap. */
  let tail = Promise.resolve();
  /** Feed position of the rows in memory, followed by `origin`. Empty if unknown. */
  let position = '';
  /** Whether the rows in memory may have changes that the store lacks. */
  let isAhead = false;
  const state = copyState<Row>(options, () => {
    const isReady = state.status() === 'following' || state.status() === 'offline';
    if (isReady && state.isComplete()) run?.resolve();
  });
  const inTurn = (task: () => Promise<void> | void): Promise<void> => {
    const turn = tail.then(task);
    tail = turn.catch(() => undefined);
    return turn;
  };

  /**
   * Calls the store. After an error, the replica continues in memory.
   * @throws The error, if the signal has aborted.
   */
  const keep = async <T>(of: Run, call: () => T | Promise<T>, signal?: AbortSignal): Promise<T | undefined> => {
    if (of.hasStoreFailed) return undefined;
    try {
      return await call();
    } catch (cause) {
      if (signal?.aborted === true) throw cause;
      of.hasStoreFailed = isAhead = true;
      of.sharing.abort();
      onError?.(new Error(`The copy cannot be stored, and continues in memory: ${String(cause)}.`, { cause }));
      return undefined;
    }
  };
  const replace = async (of: Run, copy: StoredCopy<Row>, signal?: AbortSignal): Promise<void> => {
    await keep(of, () => store.replace(copy), signal);
    position = copy.position;
    isAhead = of.hasStoreFailed;
  };
  /** Cuts `origin` off the copy's position. Returns undefined if the copy has another origin. */
  const own = (copy: StoredCopy<Row> | undefined): StoredCopy<Row> | undefined =>
    copy?.position.endsWith(origin) ? { ...copy, position: copy.position.slice(0, -origin.length) } : undefined;
  const peerOf = (of: Run): Peer<Row> => ({
    status: state.status,
    hear: ({ copy, change, status }) => {
      // Another tab has changed the rows.
      if (copy ?? change) position = '';
      const stored = own(copy);
      if (stored) state.show(byId(stored.rows));
      if (change) state.publish(change);
      if (status) state.setStatus(status as ReplicaStatus);
    },
    lead: async (copy, signal) => {
      const isNewer = isAhead && position !== '';
      const current = isNewer ? { rows: [...state.rows.values()], position } : copy;
      const stored = own(current);
      if (isNewer || (copy?.rows.length && !stored)) await replace(of, (stored && current) ?? NOTHING, signal);
      if (stored) state.show(byId(stored.rows));
      const guarded = {
        apply: async (difference: Change<Row> & { readonly position: string }) => {
          const next = difference.position + origin;
          await keep(of, () => store.apply({ ...difference, position: next }), signal);
          position = next;
        },
        replace: (all: StoredCopy<Row>) => replace(of, { ...all, position: all.position + origin }, signal),
      };
      try {
        await loadAndFollow(known, state, guarded, stored, onError, signal);
      } catch (error) {
        if (signal.aborted) return;
        of.error = error;
        onError?.(error);
      }
    },
  });
  const work = async (of: Run): Promise<void> => {
    const { signal } = of.controller;
    const peer = peerOf(of);
    if (store.share) {
      await keep(of, () => store.share?.(origin, peer, of.sharing.signal));
      if (of.hasStoreFailed && of.error === undefined && !signal.aborted) await peer.lead(undefined, signal);
    } else await peer.lead(await keep(of, () => store.load()), signal);
    await keep(of, () => store.close?.());
    state.setStatus(isForbidden(of.error) ? 'forbidden' : 'stopped');
    if (state.isComplete() && of.error !== undefined) of.resolve();
    of.reject(of.error ?? signal.reason);
  };
  const endWith = (task: () => Promise<void> | void): Promise<void> => {
    run?.controller.abort();
    run?.sharing.abort();
    return inTurn(task);
  };

  return {
    get status() {
      return state.status();
    },
    get size() {
      return state.rows.size;
    },
    get: (id) => state.rows.get(id),
    all: () => [...state.rows.values()].sort((one, two) => (one.id < two.id ? -1 : 1)),
    subscribe: (listener) => {
      state.listeners.add(listener);
      return () => void state.listeners.delete(listener);
    },
    start: () => {
      if (run === undefined || run.error !== undefined || run.controller.signal.aborted) {
        const started = (run = newRun());
        void inTurn(() => work(started));
      }
      return run.ready;
    },
    stop: () => endWith(() => state.setStatus('stopped')),
    clear: () =>
      endWith(async () => {
        try {
          await store.load();
          await store.replace(NOTHING);
        } finally {
          store.close?.();
          position = '';
          state.setStatus('stopped');
          state.forget();
        }
      }),
  };
}

type Run = ReturnType<typeof newRun>;

/** State of the replica between `start` and `stop`. */
function newRun() {
  let resolve: () => void = () => undefined;
  let reject: (error: unknown) => void = resolve;
  const ready = new Promise<void>((...both) => ([resolve, reject] = both));
  return {
    controller: new AbortController(),
    /** Aborts the leadership or membership in a shared store. */
    sharing: new AbortController(),
    ready,
    resolve,
    reject,
    hasStoreFailed: false,
    /** The error that ended the run; undefined after `stop`. */
    error: undefined as unknown,
  };
}
