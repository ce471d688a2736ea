import type { Reach } from './reach.js';

/** The properties of a collection that a replica needs. */
export interface Source {
  readonly reach: Reach;
  readonly path: string;
  /** First part of the types of its events; undefined if it has none. */
  readonly events: string | undefined;
}

const sources = new WeakMap<object, Source>();

/** Stores what {@link sourceOf} returns. */
export function describeSource<T extends object>(collection: T, source: Source): T {
  sources.set(collection, source);
  return collection;
}

/** @returns Undefined if the object is not a collection of a client. */
export function sourceOf(collection: object): Source | undefined {
  return sources.get(collection);
}
