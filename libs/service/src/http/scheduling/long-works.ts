import type { ServerResponse } from 'node:http';

import { isFirst, userOf } from '../../data/fairness/fairness-key.js';
import { LONG_WORK_MS } from '../limits.js';
import { isUnderWay } from '../received-request.js';

/** Time for which other users count as active. */
const ACTIVE_MS = 1_000;

interface LongWork {
  readonly response: ServerResponse;
  readonly tookMs: number;
  readonly endedAtMs: number;
}

/**
 * Remembers the users whose work has held the main thread for more than {@link LONG_WORK_MS}. Such a user has one request at
 * work, and pauses for as long as its last work took while other users are active. Logins do not wait for the keys and
 * applications of their user, which wait for the logins. ADR 65, ADR 105
 */
export class LongWorks {
  private readonly works = new Map<string, LongWork>();
  private latestUser: string | undefined;
  private changedAtMs = -Infinity;

  /** Whether any user may have to wait. */
  get areAny(): boolean {
    return this.works.size > 0;
  }

  /** Forgets works for which no request has to wait any more. */
  forget(nowMs: number): void {
    for (const [lane, work] of this.works) {
      if (!isAtWork(work) && nowMs - work.endedAtMs >= work.tookMs) this.works.delete(lane);
    }
  }

  /** A user wants the main thread. */
  notice(user: string, nowMs: number): void {
    if (user === this.latestUser) return;
    if (this.latestUser !== undefined) this.changedAtMs = nowMs;
    this.latestUser = user;
  }

  /** Work of a request has ended. */
  add(fairnessKey: string, response: ServerResponse, tookMs: number, nowMs: number): void {
    if (tookMs >= LONG_WORK_MS) this.works.set(laneOf(fairnessKey), { response, tookMs, endedAtMs: nowMs });
  }

  /** Whether a request may work now. */
  mayWork(fairnessKey: string, response: ServerResponse, nowMs: number): boolean {
    if (this.works.size === 0) return true;
    if (!this.isFree(laneOf(fairnessKey), response, nowMs)) return false;
    return isFirst(fairnessKey) || this.isFree(userOf(fairnessKey), response, nowMs);
  }

  private isFree(lane: string, response: ServerResponse, nowMs: number): boolean {
    const work = this.works.get(lane);
    if (work === undefined) return true;
    if (work.response !== response && isAtWork(work)) return false;
    const areOthersActive = nowMs - this.changedAtMs < ACTIVE_MS;
    return !areOthersActive || nowMs - work.endedAtMs >= work.tookMs;
  }
}

/** The logins of a user are one lane, and all other credentials of the user another one. */
function laneOf(fairnessKey: string): string {
  return isFirst(fairnessKey) ? fairnessKey : `${userOf(fairnessKey)} `;
}

/** One that has begun to respond, or rests, is no longer at work. */
function isAtWork({ response }: LongWork): boolean {
  return !response.headersSent && isUnderWay(response.req);
}
