import { FairQueue } from '@items/conventions';
import { ActiveUsers, CredentialTurns, currentFairnessKey, OWN_WORK, userOf } from '../fairness/fairness-key.js';

interface WaitingCall {
  readonly fairnessKey: string;
  readonly begin: () => void;
}

export interface ConnectionLimits {
  /** Maximum connections of a user while no other user is active. */
  readonly alone: number;
  /** Lower maximum while other users are active, because many statements of one user slow down others. */
  readonly amongOthers: number;
}

export type ReleaseConnection = () => void;

/**
 * Gives the next free connection to the user with the least connection time. The pool itself serves in order of
 * arrival, so one user could occupy all connections. ADR 105
 */
export class ConnectionTurns {
  private free: number;
  private readonly queue = new FairQueue<WaitingCall>();
  private readonly credentials = new CredentialTurns();
  private readonly taken = new Map<string, number>();
  private readonly activeUsers = new ActiveUsers();

  /** @param limits Per user. The service's own work has no limit. */
  constructor(
    connections: number,
    private readonly limits: ConnectionLimits,
  ) {
    this.free = connections;
  }

  get waiting(): number {
    return this.queue.size;
  }

  /** Returns a promise only if it waits. @returns Undefined after the timeout. */
  take(timeoutMs: number): ReleaseConnection | Promise<ReleaseConnection | undefined> {
    const fairnessKey = currentFairnessKey();
    const user = userOf(fairnessKey);
    if (user !== OWN_WORK) this.activeUsers.notice(user, performance.now());
    if (this.free > 0 && this.queue.size === 0 && this.mayTake(user)) return this.grant(user);
    return new Promise((resolve) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve(this.grant(user));
      };
      const waiting: WaitingCall = { fairnessKey, begin };
      const timer = setTimeout(() => {
        this.queue.take((other) => other === waiting);
        resolve(undefined);
      }, timeoutMs);
      this.queue.push(user, waiting);
      this.beginNext();
    });
  }

  private mayTake(user: string): boolean {
    const limit = this.activeUsers.areSeveral(performance.now()) ? this.limits.amongOthers : this.limits.alone;
    return user === OWN_WORK || (this.taken.get(user) ?? 0) < limit;
  }

  private grant(user: string): ReleaseConnection {
    const takenAtMs = performance.now();
    this.free -= 1;
    this.taken.set(user, (this.taken.get(user) ?? 0) + 1);
    return () => {
      this.free += 1;
      const left = (this.taken.get(user) ?? 0) - 1;
      if (left > 0) this.taken.set(user, left);
      else this.taken.delete(user);
      if (this.queue.size === 0) return;
      this.queue.charge(user, performance.now() - takenAtMs);
      this.beginNext();
    };
  }

  private beginNext(): void {
    while (this.free > 0) {
      const next = this.queue.shift((user, all) => (this.mayTake(user) ? this.credentials.choose(all) : undefined));
      if (next === undefined) return;
      this.credentials.recordTurn(next.fairnessKey);
      next.begin();
    }
  }
}
