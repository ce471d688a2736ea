/*
 * A fairness key says whose turn a piece of work takes: a user, and behind a blank the credential of the user that it is done
 * for. A login has no second part. So has work without a user: its key is that of its credential or address. SPEC §4
 */

/** Returns the user of a fairness key, whose credentials share their turns. */
export function userOf(fairnessKey: string): string {
  const blank = fairnessKey.indexOf(' ');
  return blank === -1 ? fairnessKey : fairnessKey.slice(0, blank);
}

/** Whether a fairness key is that of a login, which goes before the other credentials of its user. */
export function isFirst(fairnessKey: string): boolean {
  return !fairnessKey.includes(' ');
}

/** Time for which other users count as active. */
const ACTIVE_MS = 1_000;

/** Tells whether several users are active. */
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

/** Maximum number of credentials whose latest turn is remembered. */
const MAX_REMEMBERED = 10_000;

/** The order of one user's work: logins first, then the credential whose latest turn is the longest ago. */
export class CredentialTurns {
  private readonly latest = new Map<string, number>();
  private count = 0;

  /**
   * Returns the index of the next piece of work.
   * @param waiting of one user, in the order of arrival.
   * @param may tells whether a piece may go on.
   * @returns undefined if none may.
   */
  choose<T extends { readonly fairnessKey: string }>(
    waiting: readonly T[],
    may: (item: T) => boolean = () => true,
  ): number | undefined {
    let chosen: number | undefined;
    let least = Infinity;
    for (const [index, item] of waiting.entries()) {
      const { fairnessKey } = item;
      if (isFirst(fairnessKey)) {
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

  note(fairnessKey: string): void {
    if (isFirst(fairnessKey)) return;
    this.count += 1;
    this.latest.delete(fairnessKey);
    this.latest.set(fairnessKey, this.count);
    if (this.latest.size <= MAX_REMEMBERED) return;
    const [oldest = ''] = this.latest.keys();
    this.latest.delete(oldest);
  }
}
