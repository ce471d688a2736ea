import type { ServerResponse } from 'node:http';

import { FairQueue } from '@items/conventions';

import { ActiveUsers, CredentialTurns, runsFirst, userOf } from '../../data/fairness/fairness-key.js';
import { LONG_WORK_MS, MAX_STARTED, MAX_WAIT_MS, MAX_IN_PROGRESS_UNREFUSED } from '../limits.js';
import { isInProgress } from '../received-request.js';

const CHECK_INTERVAL_MS = 5;

interface QueuedRequest {
  readonly fairnessKey: string;
  readonly response: ServerResponse;
  readonly run: () => void;
  /** Refuses the request. Undefined if it may wait without limit. */
  readonly refuse: (() => void) | undefined;
  readonly arrivedAtMs: number;
  /** Whether the request has started and waits to continue. Unstarted requests of the same credential come later. */
  readonly hasStarted: boolean;
  /** Time after which the request is late: it is refused, or no longer waits for the database. */
  untilMs: number;
  ignoresBacklog: boolean;
  /** Main-thread time to charge in addition to the measured time. */
  readonly unmeasuredMs: number;
}

/**
 * Orders waiting requests and finds late ones. The user with the least main-thread time goes first; within a user,
 * logins go first and other credentials take turns. ADR 105
 */
export class RequestScheduler {
  private readonly queue = new FairQueue<QueuedRequest>();
  private readonly credentials = new CredentialTurns();
  private readonly heavyUsers = new HeavyUsers();
  private firstLateAtMs = Infinity;
  /** Read-only from outside. */
  size = 0;
  /** True if every request may start immediately: the queue is empty, and no user had long work recently. */
  isIdle = true;

  nextCheckInMs(nowMs: number): number {
    return this.heavyUsers.areAny ? CHECK_INTERVAL_MS : this.firstLateAtMs - nowMs;
  }

  canStartNow(fairnessKey: string, response: ServerResponse, nowMs: number): boolean {
    if (this.size > 0) return false;
    this.heavyUsers.notice(userOf(fairnessKey), nowMs);
    const canRun = this.heavyUsers.canRun(fairnessKey, response, nowMs);
    this.heavyUsers.forget(nowMs);
    this.updateSize();
    return canRun;
  }

  add(queued: QueuedRequest, nowMs = queued.arrivedAtMs): void {
    const user = userOf(queued.fairnessKey);
    this.heavyUsers.notice(user, nowMs);
    this.firstLateAtMs = Math.min(this.firstLateAtMs, queued.untilMs);
    if (queued.hasStarted) this.queue.pushEarly(user, queued, ({ hasStarted }) => hasStarted);
    else this.queue.push(user, queued);
    this.updateSize();
  }

  charge(fairnessKey: string, response: ServerResponse, tookMs: number, nowMs: number): void {
    this.queue.charge(userOf(fairnessKey), tookMs);
    this.heavyUsers.add(fairnessKey, response, tookMs, nowMs);
    this.updateSize();
  }

  next(nowMs: number, isFull: boolean): QueuedRequest | undefined {
    this.heavyUsers.forget(nowMs);
    const next = this.queue.shift((_, ofUser) =>
      this.credentials.choose(
        ofUser,
        ({ fairnessKey, response, ignoresBacklog }) =>
          (ignoresBacklog || !isFull) && this.heavyUsers.canRun(fairnessKey, response, nowMs),
      ),
    );
    if (next !== undefined) this.credentials.recordTurn(next.fairnessKey);
    this.updateSize();
    return next;
  }

  /**
   * Removes late requests to refuse them, at most {@link MAX_STARTED} per call. Before {@link MAX_WAIT_MS}, a late
   * request is removed only if many are in progress. Otherwise the request no longer waits for the database.
   */
  removeLate(nowMs: number, started: number): { refused: readonly QueuedRequest[]; releasedOthers: boolean } {
    if (nowMs < this.firstLateAtMs) return { refused: [], releasedOthers: false };
    let inProgress = started + this.size;
    let refusedCount = 0;
    this.firstLateAtMs = Infinity;
    let releasedOthers = false;
    const refused = this.queue.take((queued) => {
      if (queued.untilMs <= nowMs && refusedCount < MAX_STARTED) {
        const lastMs = queued.arrivedAtMs + MAX_WAIT_MS;
        if (queued.refuse !== undefined && (inProgress > MAX_IN_PROGRESS_UNREFUSED || nowMs >= lastMs)) {
          inProgress -= 1;
          refusedCount += 1;
          return true;
        }
        queued.ignoresBacklog = queued.refuse !== undefined;
        releasedOthers ||= queued.ignoresBacklog;
        queued.untilMs = queued.ignoresBacklog ? lastMs : nowMs + MAX_WAIT_MS;
      }
      this.firstLateAtMs = Math.min(this.firstLateAtMs, queued.untilMs);
      return false;
    });
    this.updateSize();
    return { refused, releasedOthers };
  }

  private updateSize(): void {
    this.size = this.queue.size;
    this.isIdle = this.size === 0 && !this.heavyUsers.areAny;
  }
}

interface LongWork {
  readonly response: ServerResponse;
  readonly tookMs: number;
  readonly endedAtMs: number;
}

/**
 * Users whose work held the main thread for {@link LONG_WORK_MS}. The user's other requests wait until its response
 * begins. While other users are active, the user then pauses for as long as the work took. Long work of a login delays
 * all requests of the user; long work of API keys or applications delays no logins. ADR 105
 */
class HeavyUsers {
  /** Last long work by group of credentials: the logins of a user, or all their other credentials. */
  private readonly works = new Map<string, LongWork>();
  private readonly activeUsers = new ActiveUsers();

  get areAny(): boolean {
    return this.works.size > 0;
  }

  forget(nowMs: number): void {
    for (const [group, work] of this.works) {
      if (!isAtWork(work) && nowMs - work.endedAtMs >= work.tookMs) this.works.delete(group);
    }
  }

  notice(user: string, nowMs: number): void {
    this.activeUsers.notice(user, nowMs);
  }

  add(fairnessKey: string, response: ServerResponse, tookMs: number, nowMs: number): void {
    if (tookMs >= LONG_WORK_MS) this.works.set(credentialGroupOf(fairnessKey), { response, tookMs, endedAtMs: nowMs });
  }

  canRun(fairnessKey: string, response: ServerResponse, nowMs: number): boolean {
    if (this.works.size === 0) return true;
    if (!this.isFree(credentialGroupOf(fairnessKey), response, nowMs)) return false;
    return runsFirst(fairnessKey) || this.isFree(userOf(fairnessKey), response, nowMs);
  }

  private isFree(group: string, response: ServerResponse, nowMs: number): boolean {
    const work = this.works.get(group);
    if (work === undefined) return true;
    if (work.response !== response && isAtWork(work)) return false;
    return !this.activeUsers.areSeveral(nowMs) || nowMs - work.endedAtMs >= work.tookMs;
  }
}

function credentialGroupOf(fairnessKey: string): string {
  return runsFirst(fairnessKey) ? fairnessKey : `${userOf(fairnessKey)} `;
}

function isAtWork({ response }: LongWork): boolean {
  return !response.headersSent && isInProgress(response.req);
}
