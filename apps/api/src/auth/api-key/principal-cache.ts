import type { Principal } from '../principal.js';
import { ExpiringMap } from './expiring-map.js';

/** A revoked key is dead everywhere within this time. authentication.md */
const LIFETIME_MS = 5000;
/** Keys known at once; invalid ones apart, so that a flood of them displaces no valid one. */
const CAPACITY = 10_000;

/** What a look-up found: whose key it is, and when it ends by itself. */
export interface FoundPrincipal {
  readonly principal: Principal;
  /** Milliseconds since the epoch; null for a key that does not expire. */
  readonly expiresAt: number | null;
}

/** Remembers for some seconds whose a secret is, or that it is nobody's, by the secret's hash. */
export class PrincipalCache {
  private readonly valid = new ExpiringMap<Principal>(CAPACITY);
  private readonly invalid = new ExpiringMap<null>(CAPACITY);
  private generation = 0;
  private readonly pending = new Map<string, Promise<Principal | null>>();

  /** @param lookUp asks the database; null for a secret that is nobody's. */
  constructor(private readonly lookUp: (hash: string) => Promise<FoundPrincipal | null>) {}

  get size(): number {
    return this.valid.size + this.invalid.size;
  }

  /** At once where the answer is known; those who ask for the same secret meanwhile share one look-up. */
  get(hash: string): Principal | null | Promise<Principal | null> {
    const nowMs = Date.now();
    const known = this.valid.get(hash, nowMs) ?? this.invalid.get(hash, nowMs);
    return known === undefined ? (this.pending.get(hash) ?? this.load(hash, nowMs)) : known;
  }

  /** Forgets everything, look-ups on their way included: they may have read what has just changed. */
  clear(): void {
    this.generation++;
    this.valid.clear();
    this.invalid.clear();
    this.pending.clear();
  }

  private load(hash: string, beganAtMs: number): Promise<Principal | null> {
    const { generation } = this;
    const load = this.lookUp(hash)
      .then((found) => {
        if (generation === this.generation) this.remember(hash, found, beganAtMs);
        return found?.principal ?? null;
      })
      .finally(() => {
        if (this.pending.get(hash) === load) this.pending.delete(hash);
      });
    this.pending.set(hash, load);
    return load;
  }

  /** The lifetime begins with the look-up, which may have been slow: what it read may be as old as that. */
  private remember(hash: string, found: FoundPrincipal | null, beganAtMs: number): void {
    const staleAtMs = beganAtMs + LIFETIME_MS;
    if (found === null) this.invalid.set(hash, null, staleAtMs);
    else this.valid.set(hash, found.principal, Math.min(staleAtMs, found.expiresAt ?? Infinity));
  }
}
