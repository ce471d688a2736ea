import type { ServerResponse } from 'node:http';

import { ActiveUsers, isFirst, userOf } from '../../data/fairness/fairness-key.js';
import { LONG_WORK_MS } from '../limits.js';
import { isUnderWay } from '../received-request.js';

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
export class HeavyHolders {
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
