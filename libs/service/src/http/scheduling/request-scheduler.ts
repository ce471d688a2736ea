import type { ServerResponse } from 'node:http';

import { FairQueue } from '@items/conventions';

import { ActiveUsers, CredentialTurns, isFirst, userOf } from '../../data/fairness/fairness-key.js';
import { LONG_WORK_MS, MAX_BEGUN, MAX_WAIT_MS, NEVER_REFUSED } from '../limits.js';
import { isUnderWay } from '../received-request.js';

const LOOK_AGAIN_MS = 5;

export interface WaitingTurn {
  readonly fairnessKey: string;
  readonly response: ServerResponse;
  readonly run: () => void;
  /** Undefined if it waits without limit. */
  readonly refuse: (() => void) | undefined;
  readonly arrivedAtMs: number;
  /** A started request goes before those of its credential that have not started. */
  readonly hasBegun: boolean;
  /** When it is refused, or becomes due. */
  untilMs: number;
  /** Whether it runs despite a backlog of the database. */
  isDue: boolean;
  /** Main-thread time of the next step that cannot be measured. */
  readonly unmeasuredMs: number;
}

/**
 * Orders waiting requests and finds late ones. The user that has used least of the main thread goes first; within a
 * user, logins go first and other credentials take turns. ADR 105
 */
export class RequestScheduler {
  private readonly turns = new FairQueue<WaitingTurn>();
  private readonly credentials = new CredentialTurns();
  private readonly heavyHolders = new HeavyHolders();
  private firstLateAtMs = Infinity;
  /** Number of waiting turns; only this class writes it. */
  size = 0;
  /** Any request may run: nothing waits and no work was long. Only this class writes it. */
  isQuiet = true;

  nextLookInMs(nowMs: number): number {
    return this.heavyHolders.areAny ? LOOK_AGAIN_MS : this.firstLateAtMs - nowMs;
  }

  mayPass(fairnessKey: string, response: ServerResponse, nowMs: number): boolean {
    if (this.size > 0) return false;
    this.heavyHolders.notice(userOf(fairnessKey), nowMs);
    const mayWork = this.heavyHolders.mayWork(fairnessKey, response, nowMs);
    this.heavyHolders.forget(nowMs);
    this.count();
    return mayWork;
  }

  add(turn: WaitingTurn, nowMs = turn.arrivedAtMs): void {
    const user = userOf(turn.fairnessKey);
    this.heavyHolders.notice(user, nowMs);
    this.firstLateAtMs = Math.min(this.firstLateAtMs, turn.untilMs);
    if (turn.hasBegun) this.turns.pushEarly(user, turn, ({ hasBegun }) => hasBegun);
    else this.turns.push(user, turn);
    this.count();
  }

  charge(fairnessKey: string, response: ServerResponse, tookMs: number, nowMs: number): void {
    this.turns.charge(userOf(fairnessKey), tookMs);
    this.heavyHolders.add(fairnessKey, response, tookMs, nowMs);
    this.count();
  }

  next(nowMs: number, isFull: boolean): WaitingTurn | undefined {
    this.heavyHolders.forget(nowMs);
    const next = this.turns.shift((_, turns) =>
      this.credentials.choose(
        turns,
        ({ fairnessKey, response, isDue }) =>
          (isDue || !isFull) && this.heavyHolders.mayWork(fairnessKey, response, nowMs),
      ),
    );
    if (next !== undefined) this.credentials.note(next.fairnessKey);
    this.count();
    return next;
  }

  /**
   * Removes requests that are to be refused: those beyond {@link MAX_WAIT_MS}, and all late ones if many are in
   * progress. Other late requests become due. The number per call is limited.
   */
  takeLate(nowMs: number, begun: number): { refused: readonly WaitingTurn[]; areOthersDue: boolean } {
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
    this.isQuiet = this.size === 0 && !this.heavyHolders.areAny;
  }
}

interface LongWork {
  readonly response: ServerResponse;
  readonly tookMs: number;
  readonly endedAtMs: number;
}

/**
 * Users whose work has held the main thread for more than {@link LONG_WORK_MS}. Such a user has one request in progress
 * and, while other users are active, pauses for as long as its last work took. Requests with keys and applications of a
 * user also wait for its logins, but not vice versa. ADR 105
 */
class HeavyHolders {
  private readonly works = new Map<string, LongWork>();
  private readonly activeUsers = new ActiveUsers();

  get areAny(): boolean {
    return this.works.size > 0;
  }

  forget(nowMs: number): void {
    for (const [lane, work] of this.works) {
      if (!isAtWork(work) && nowMs - work.endedAtMs >= work.tookMs) this.works.delete(lane);
    }
  }

  notice(user: string, nowMs: number): void {
    this.activeUsers.notice(user, nowMs);
  }

  add(fairnessKey: string, response: ServerResponse, tookMs: number, nowMs: number): void {
    if (tookMs >= LONG_WORK_MS) this.works.set(laneOf(fairnessKey), { response, tookMs, endedAtMs: nowMs });
  }

  mayWork(fairnessKey: string, response: ServerResponse, nowMs: number): boolean {
    if (this.works.size === 0) return true;
    if (!this.isFree(laneOf(fairnessKey), response, nowMs)) return false;
    return isFirst(fairnessKey) || this.isFree(userOf(fairnessKey), response, nowMs);
  }

  private isFree(lane: string, response: ServerResponse, nowMs: number): boolean {
    const work = this.works.get(lane);
    if (work === undefined) return true;
    if (work.response !== response && isAtWork(work)) return false;
    return !this.activeUsers.areSeveral(nowMs) || nowMs - work.endedAtMs >= work.tookMs;
  }
}

/** The logins of a user are one lane; all its other credentials are another. */
function laneOf(fairnessKey: string): string {
  return isFirst(fairnessKey) ? fairnessKey : `${userOf(fairnessKey)} `;
}

function isAtWork({ response }: LongWork): boolean {
  return !response.headersSent && isUnderWay(response.req);
}
