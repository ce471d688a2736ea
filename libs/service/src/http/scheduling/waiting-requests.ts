import type { ServerResponse } from 'node:http';

import { FairQueue } from '@items/conventions';

import { CredentialTurns, userOf } from '../../data/fairness/fairness-key.js';
import { MAX_BEGUN, MAX_WAIT_MS, NEVER_REFUSED } from '../limits.js';
import { LongWorks } from './long-works.js';

/** A turn that a request waits for: its first one, or another one. */
export interface WaitingTurn {
  readonly fairnessKey: string;
  readonly response: ServerResponse;
  readonly run: () => void;
  /** Undefined for one that waits as long as it takes. */
  readonly refuse: (() => void) | undefined;
  readonly arrivedAtMs: number;
  /** Whether its request has begun: it goes before those of its credential that have not. */
  readonly hasBegun: boolean;
  /** Then it is refused, or runs though the database has a backlog. */
  untilMs: number;
  /** Whether it runs though the database has a backlog. */
  isDue: boolean;
  /** Time of the main thread that its next step takes, but that cannot be measured. */
  readonly unmeasuredMs: number;
}

/** What becomes of late requests. */
export interface LateTurns {
  readonly refused: readonly WaitingTurn[];
  /** Whether some waiting requests may now go on though the database has a backlog. */
  readonly areOthersDue: boolean;
}

/**
 * Who may go first, and who has waited too long. The user goes first that has used the least of the main thread; within a
 * user, logins go first, and the other credentials take turns. ADR 105
 */
export class WaitingRequests {
  private readonly turns = new FairQueue<WaitingTurn>();
  private readonly credentials = new CredentialTurns();
  private readonly longWorks = new LongWorks();
  private firstLateAtMs = Infinity;
  /** How many wait; written here only, as the next one. */
  size = 0;
  /** Whether nothing waits and no work was long: any request may go on at once. */
  isQuiet = true;

  /** How soon it must be looked again, where no waiting request may go on. */
  nextLookInMs(nowMs: number): number {
    return this.longWorks.areAny ? LOOK_AGAIN_MS : this.firstLateAtMs - nowMs;
  }

  /** Whether a request need not wait for other requests of its user. */
  mayPass(fairnessKey: string, response: ServerResponse, nowMs: number): boolean {
    if (this.size > 0) return false;
    this.longWorks.notice(userOf(fairnessKey), nowMs);
    const mayWork = this.longWorks.mayWork(fairnessKey, response, nowMs);
    this.longWorks.forget(nowMs);
    this.count();
    return mayWork;
  }

  add(turn: WaitingTurn, nowMs = turn.arrivedAtMs): void {
    const user = userOf(turn.fairnessKey);
    this.longWorks.notice(user, nowMs);
    this.firstLateAtMs = Math.min(this.firstLateAtMs, turn.untilMs);
    if (turn.hasBegun) this.turns.pushEarly(user, turn, ({ hasBegun }) => hasBegun);
    else this.turns.push(user, turn);
    this.count();
  }

  /** Says what a piece of work took of the main thread. */
  charge(fairnessKey: string, response: ServerResponse, tookMs: number, nowMs: number): void {
    this.turns.charge(userOf(fairnessKey), tookMs);
    this.longWorks.add(fairnessKey, response, tookMs, nowMs);
    this.count();
  }

  /** @param isFull whether the database has no use for more, but for those that are due. */
  next(nowMs: number, isFull: boolean): WaitingTurn | undefined {
    this.longWorks.forget(nowMs);
    const next = this.turns.shift((_, turns) =>
      this.credentials.choose(
        turns,
        ({ fairnessKey, response, isDue }) =>
          (isDue || !isFull) && this.longWorks.mayWork(fairnessKey, response, nowMs),
      ),
    );
    if (next !== undefined) this.credentials.note(next.fairnessKey);
    this.count();
    return next;
  }

  /**
   * Takes out those that have waited too long, some at once: where many are under way, and in any case after
   * {@link MAX_WAIT_MS}. Others that are late become due.
   * @param begun how many requests are under way beside those that wait.
   */
  takeLate(nowMs: number, begun: number): LateTurns {
    if (nowMs < this.firstLateAtMs) return { refused: [], areOthersDue: false };
    let underWay = begun + this.size;
    let taken = 0;
    this.firstLateAtMs = Infinity;
    let areOthersDue = false;
    const refused = this.turns.take((turn) => {
      if (turn.untilMs <= nowMs && taken < MAX_BEGUN) {
        const lastMs = turn.arrivedAtMs + MAX_WAIT_MS;
        if (turn.refuse !== undefined && (underWay > NEVER_REFUSED || nowMs >= lastMs)) {
          underWay -= 1;
          taken += 1;
          return true;
        }
        turn.isDue = turn.refuse !== undefined;
        areOthersDue ||= turn.isDue;
        turn.untilMs = turn.isDue ? lastMs : nowMs + MAX_WAIT_MS;
      }
      this.firstLateAtMs = Math.min(this.firstLateAtMs, turn.untilMs);
      return false;
    });
    this.count();
    return { refused, areOthersDue };
  }

  private count(): void {
    this.size = this.turns.size;
    this.isQuiet = this.size === 0 && !this.longWorks.areAny;
  }
}

/** How soon it is looked whether a holder whose work was long may go on. */
const LOOK_AGAIN_MS = 5;
