import { AsyncLocalStorage } from 'node:async_hooks';

/*
 * A fairness key is `USER CREDENTIAL`, or only the user for a login. Without a user, it is the credential or address.
 * SPEC §4
 */

export function userOf(fairnessKey: string): string {
  const blank = fairnessKey.indexOf(' ');
  return blank === -1 ? fairnessKey : fairnessKey.slice(0, blank);
}

/** True for a login and for a key without a user. Logins run before other work of their user. */
export function runsFirst(fairnessKey: string): boolean {
  return !fairnessKey.includes(' ');
}

const keys = new AsyncLocalStorage<() => string>();

export const OWN_WORK = '';

/**
 * Runs the work of a request under its fairness key.
 * @param key Called for each statement, because authentication changes the key.
 */
export function withFairnessKey<T>(key: () => string, work: () => T): T {
  return keys.run(key, work);
}

export function currentFairnessKey(): string {
  return keys.getStore()?.() ?? OWN_WORK;
}

/** Several users count as active for this long after two consecutive pieces of work had different users. */
const ACTIVE_MS = 1_000;

export class ActiveUsers {
  private latest: string | undefined;
  private changedAtMs = -Infinity;

  notice(user: string, nowMs: number): void {
    if (user === this.latest) return;
    if (this.latest !== undefined) this.changedAtMs = nowMs;
    this.latest = user;
  }

  areSeveral(nowMs: number): boolean {
    return nowMs - this.changedAtMs < ACTIVE_MS;
  }
}

const MAX_REMEMBERED = 10_000;

/** Chooses the order of work within a user: logins first, then the least recently served credential. */
export class CredentialTurns {
  private readonly latest = new Map<string, number>();
  private count = 0;

  /** Returns an index. Undefined if every item must wait. */
  choose<T extends { readonly fairnessKey: string }>(
    waiting: readonly T[],
    may: (item: T) => boolean = () => true,
  ): number | undefined {
    let chosen: number | undefined;
    let least = Infinity;
    for (const [index, item] of waiting.entries()) {
      const { fairnessKey } = item;
      if (runsFirst(fairnessKey)) {
        if (may(item)) return index;
        continue;
      }
      const latest = this.latest.get(fairnessKey) ?? 0;
      if (latest < least && may(item)) {
        chosen = index;
        least = latest;
      }
    }
    return chosen;
  }

  recordTurn(fairnessKey: string): void {
    if (runsFirst(fairnessKey)) return;
    this.count += 1;
    this.latest.delete(fairnessKey);
    this.latest.set(fairnessKey, this.count);
    if (this.latest.size <= MAX_REMEMBERED) return;
    const [oldest = ''] = this.latest.keys();
    this.latest.delete(oldest);
  }
}
