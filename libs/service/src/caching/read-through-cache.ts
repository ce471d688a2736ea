import { type Bounds, ExpiringMap } from './expiring-map.js';

/** Known at once; what does not exist apart, so that a flood of inventions displaces nothing. */
const FOUND: Bounds = { entries: 10_000, bytes: 16_777_216 };
const MISSING: Bounds = { entries: 10_000, bytes: 4_194_304 };

/**
 * How long a process believes what it has read. What another instance revoked is dead everywhere within 5 s
 * (SPEC §5.4): a second is left for the request that asks.
 */
const KNOWN_FOR_MS = 4_000;

/** What may be said of the things that are looked up. */
export interface ReadThroughOptions<T> {
  /** How long an answer is believed, in milliseconds; 4 s where it is left out. */
  readonly knownForMs?: number;
  /** When something ends by itself, in milliseconds since the epoch; null: never. */
  readonly endsAt?: (value: T) => number | null;
  /** Makes the key of a request that is too long to be cached, or secret. */
  readonly keyOf?: (asked: string) => string;
}

/** How often a cache was asked since the process began. */
export interface LookUps {
  /** It knew. */
  readonly hits: number;
  /** The source was read, or was being read already. */
  readonly misses: number;
}

/**
 * Remembers for some seconds what was found under a key, or that nothing was.
 * @example
 * const users = new ReadThroughCache((id) => database.findUser(id));
 * await users.get('ada');
 */
export class ReadThroughCache<T extends object> {
  private readonly found = new ExpiringMap<T>(FOUND);
  private readonly missing = new ExpiringMap<null>(MISSING);
  private readonly pending = new Map<string, Promise<T | null>>();
  private hits = 0;
  private misses = 0;

  private readonly knownForMs: number;
  private readonly endsAt: (value: T) => number | null;
  private readonly keyOf: (asked: string) => string;

  /** @param lookUp reads the source; null where there is nothing. */
  constructor(
    private readonly lookUp: (asked: string) => Promise<T | null>,
    { knownForMs = KNOWN_FOR_MS, endsAt = () => null, keyOf = (asked) => asked }: ReadThroughOptions<T> = {},
  ) {
    this.knownForMs = knownForMs;
    this.endsAt = endsAt;
    this.keyOf = keyOf;
  }

  get size(): number {
    return this.found.size + this.missing.size;
  }

  get lookUps(): LookUps {
    return { hits: this.hits, misses: this.misses };
  }

  /** The cached value, without a look-up: undefined where one is needed. */
  peek(asked: string): T | null | undefined {
    const known = this.knownAt(this.keyOf(asked), performance.now());
    if (known !== undefined) this.hits += 1;
    return known;
  }

  /** At once where the answer is known; those who ask for the same meanwhile share one look-up. */
  get(asked: string): T | null | Promise<T | null> {
    const key = this.keyOf(asked);
    const nowMs = performance.now();
    const known = this.knownAt(key, nowMs);
    if (known !== undefined) {
      this.hits += 1;
      return known;
    }
    this.misses += 1;
    return this.pending.get(key) ?? this.load(asked, key, nowMs);
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

  private knownAt(key: string, nowMs: number): T | null | undefined {
    return this.foundAt(key, nowMs) ?? this.missing.get(key, nowMs);
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
    const staleAtMs = beganAtMs + this.knownForMs;
    if (value === null) this.missing.set(key, null, staleAtMs);
    else this.found.set(key, value, staleAtMs);
  }

  /** How long it is believed does not depend on a clock that may be set; when it ends by itself is a time of that clock. */
  private foundAt(key: string, nowMs: number): T | undefined {
    const value = this.found.get(key, nowMs);
    if (value === undefined) return undefined;
    const endsAt = this.endsAt(value);
    return endsAt === null || endsAt > Date.now() ? value : undefined;
  }
}
