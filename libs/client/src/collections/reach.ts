import { pause } from '../http/retry.js';
import { withSignals } from '../http/signals.js';
import type { Transport } from '../http/transport.js';
import type { Settings } from '../settings.js';

export interface Reach extends Pick<Settings, 'baseUrl' | 'retry' | 'signal' | 'timeoutMs'> {
  readonly transport: Transport;
}

/** @throws The abort reason of the client's signal or the call's own. */
export function pauseFor({ retry, signal }: Reach, ms: number, own: AbortSignal | undefined): Promise<void> {
  return withSignals([signal, own], undefined, (either) => pause(retry, ms, either));
}

export interface Source {
  readonly reach: Reach;
  readonly path: string;
  /** First part of the types of its events; undefined if it has none. */
  readonly events: string | undefined;
}

const sources = new WeakMap<object, Source>();

export function describeSource<T extends object>(collection: T, source: Source): T {
  sources.set(collection, source);
  return collection;
}

/** @returns Undefined if the object is not a collection of a client. */
export function sourceOf(collection: object): Source | undefined {
  return sources.get(collection);
}
