import type { ServerResponse } from 'node:http';

import { LONG_WORK_MS } from '../limits.js';
import { isUnderWay } from '../received-request.js';

/** So long other holders count as active. */
const ACTIVE_MS = 1_000;

interface LongWork {
  readonly response: ServerResponse;
  readonly tookMs: number;
  readonly endedAtMs: number;
}

/**
 * Remembers whose work has held the main thread for more than {@link LONG_WORK_MS}. Such a holder has one request at work,
 * and pauses for as long as its last work took while others are active: every other moment is theirs. ADR 65
 */
export class LongWorks {
  private readonly works = new Map<string, LongWork>();
  private latestHolder: string | undefined;
  private changedAtMs = -Infinity;

  /** Whether any holder may have to wait. */
  get areAny(): boolean {
    return this.works.size > 0;
  }

  /** Forgets those for which no request has to wait any more. */
  forget(nowMs: number): void {
    for (const [holder, work] of this.works) {
      if (!isAtWork(work) && nowMs - work.endedAtMs >= work.tookMs) this.works.delete(holder);
    }
  }

  /** A holder asks for the main thread. */
  notice(holder: string, nowMs: number): void {
    if (holder === this.latestHolder) return;
    if (this.latestHolder !== undefined) this.changedAtMs = nowMs;
    this.latestHolder = holder;
  }

  /** Work of a holder has ended. */
  add(holder: string, response: ServerResponse, tookMs: number, nowMs: number): void {
    if (tookMs >= LONG_WORK_MS) this.works.set(holder, { response, tookMs, endedAtMs: nowMs });
  }

  /** Whether a request of the holder may work now. */
  mayWork(holder: string, response: ServerResponse, nowMs: number): boolean {
    const work = this.works.get(holder);
    if (work === undefined) return true;
    if (work.response !== response && isAtWork(work)) return false;
    const areOthersActive = nowMs - this.changedAtMs < ACTIVE_MS;
    return !areOthersActive || nowMs - work.endedAtMs >= work.tookMs;
  }
}

/** One that has begun to respond, or rests, is no longer at work. */
function isAtWork({ response }: LongWork): boolean {
  return !response.headersSent && isUnderWay(response.req);
}
