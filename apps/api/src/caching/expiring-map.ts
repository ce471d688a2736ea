interface Entry<V> {
  readonly value: V;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A bounded map that forgets what has expired, and everything when it is full: cheaper than to look for the oldest. */
export class ExpiringMap<V> {
  private readonly entries = new Map<string, Entry<V>>();

  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.entries.size;
  }

  get(key: string, nowMs: number): V | undefined {
    const entry = this.entries.get(key);
    return entry !== undefined && entry.expiresAt > nowMs ? entry.value : undefined;
  }

  set(key: string, value: V, expiresAt: number): void {
    if (this.entries.size >= this.capacity) this.entries.clear();
    this.entries.set(key, { value, expiresAt });
  }

  delete(key: string): void {
    this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }
}
