import { LRUCache } from 'lru-cache';

import { bytesOf } from './bytes-of.js';

interface Entry<V> {
  readonly value: V;
  /** On the caller's clock. */
  readonly expiresAt: number;
}

/** How much a map holds at most. */
export interface Bounds {
  readonly entries: number;
  readonly bytes: number;
}

/** A map that forgets what has expired, and, where it is full, what was not asked for for the longest time. */
export class ExpiringMap<V> {
  private readonly entries: LRUCache<string, Entry<V>>;

  /** @param bounds an entry that is larger than all may be together is not kept. */
  constructor(bounds: Bounds) {
    this.entries = new LRUCache({
      max: bounds.entries,
      maxSize: bounds.bytes,
      sizeCalculation: (entry, key) => bytesOf(key) + bytesOf(entry),
    });
  }

  get size(): number {
    return this.entries.size;
  }

  get(key: string, nowMs: number): V | undefined {
    const entry = this.entries.get(key);
    return entry !== undefined && entry.expiresAt > nowMs ? entry.value : undefined;
  }

  set(key: string, value: V, expiresAt: number): void {
    this.entries.set(key, { value, expiresAt });
  }

  delete(key: string): void {
    this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }
}
