import { ExpiringMap } from '../../auth/api-key/expiring-map.js';

/** What was revoked elsewhere is dead here within this time. authentication.md */
const LIFETIME_MS = 5000;
/** Known at once; what does not exist apart, so that a flood of inventions displaces nothing. */
const CAPACITY = 10_000;

/** Remembers for some seconds what was found under a key, or that nothing was. */
export class LookUps<T extends object> {
  private readonly found = new ExpiringMap<T>(CAPACITY);
  private readonly missing = new ExpiringMap<null>(CAPACITY);
  private readonly pending = new Map<string, Promise<T | null>>();
  private generation = 0;

  /** @param lookUp asks the database; null where there is nothing. */
  constructor(private readonly lookUp: (key: string) => Promise<T | null>) {}

  /** At once where the answer is known; those who ask for the same meanwhile share one look-up. */
  get(key: string): T | null | Promise<T | null> {
    const nowMs = Date.now();
    const known = this.found.get(key, nowMs) ?? this.missing.get(key, nowMs);
    return known === undefined ? (this.pending.get(key) ?? this.load(key, nowMs)) : known;
  }

  /** Forgets everything, look-ups on their way included: they may have read what has just changed. */
  clear(): void {
    this.generation++;
    this.found.clear();
    this.missing.clear();
    this.pending.clear();
  }

  /** The lifetime begins with the look-up, which may have been slow: what it read may be as old as that. */
  private load(key: string, beganAtMs: number): Promise<T | null> {
    const { generation } = this;
    const load = this.lookUp(key)
      .then((value) => {
        if (generation !== this.generation) return value;
        if (value === null) this.missing.set(key, null, beganAtMs + LIFETIME_MS);
        else this.found.set(key, value, beganAtMs + LIFETIME_MS);
        return value;
      })
      .finally(() => {
        if (this.pending.get(key) === load) this.pending.delete(key);
      });
    this.pending.set(key, load);
    return load;
  }
}
