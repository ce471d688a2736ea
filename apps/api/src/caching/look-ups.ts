import { ExpiringMap } from './expiring-map.js';
import { KNOWN_FOR_MS } from './known-for.js';

/** Known at once; what does not exist apart, so that a flood of inventions displaces nothing. */
const CAPACITY = 10_000;

/** Remembers for some seconds what was found under a key, or that nothing was. */
export class LookUps<T extends object> {
  private readonly found = new ExpiringMap<T>(CAPACITY);
  private readonly missing = new ExpiringMap<null>(CAPACITY);
  private readonly pending = new Map<string, Promise<T | null>>();

  /**
   * @param lookUp asks whoever knows; null where there is nothing.
   * @param endsAt when something ends by itself, in milliseconds since the epoch; null: never.
   * @param keyOf makes the key of what is asked for, where that is too long to be kept, or secret.
   */
  constructor(
    private readonly lookUp: (asked: string) => Promise<T | null>,
    private readonly endsAt: (value: T) => number | null = () => null,
    private readonly keyOf: (asked: string) => string = (asked) => asked,
  ) {}

  get size(): number {
    return this.found.size + this.missing.size;
  }

  /** At once where the answer is known; those who ask for the same meanwhile share one look-up. */
  get(asked: string): T | null | Promise<T | null> {
    const key = this.keyOf(asked);
    const nowMs = Date.now();
    const known = this.found.get(key, nowMs) ?? this.missing.get(key, nowMs);
    return known === undefined ? (this.pending.get(key) ?? this.load(asked, key, nowMs)) : known;
  }

  /** Forgets what was found, and a look-up on its way: it may have read what has just changed. */
  forget(asked: string): void {
    const key = this.keyOf(asked);
    this.found.delete(key);
    this.missing.delete(key);
    this.pending.delete(key);
  }

  /** Forgets everything, look-ups on their way included. */
  clear(): void {
    this.found.clear();
    this.missing.clear();
    this.pending.clear();
  }

  private load(asked: string, key: string, beganAtMs: number): Promise<T | null> {
    const load = this.lookUp(asked)
      .then((value) => {
        if (this.pending.get(key) === load) this.remember(key, value, beganAtMs);
        return value;
      })
      .finally(() => {
        if (this.pending.get(key) === load) this.pending.delete(key);
      });
    this.pending.set(key, load);
    return load;
  }

  /** The lifetime begins with the look-up, which may have been slow: what it read may be as old as that. */
  private remember(key: string, value: T | null, beganAtMs: number): void {
    const staleAtMs = beganAtMs + KNOWN_FOR_MS;
    if (value === null) this.missing.set(key, null, staleAtMs);
    else this.found.set(key, value, Math.min(staleAtMs, this.endsAt(value) ?? Infinity));
  }
}
