import { pause } from '../http/retry.js';
import { withSignals } from '../http/signals.js';
import type { Transport } from '../http/transport.js';
import type { Settings } from '../settings.js';

export interface Reach extends Pick<Settings, 'baseUrl' | 'retry' | 'signal' | 'timeoutMs'> {
  readonly transport: Transport;
}

/** @throws The abort reason of the signal of the client or of the call. */
export function pauseFor({ retry, signal }: Reach, ms: number, callSignal: AbortSignal | undefined): Promise<void> {
  return withSignals([signal, callSignal], undefined, (either) => pause(retry, ms, either));
}

export interface Source {
  readonly reach: Reach;
  readonly path: string;
  /** First part of the event types; undefined if the collection has no events. */
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
