import { ServiceUnavailableError } from '@items/conventions';
import { type ErrorAnswer, toErrorAnswer } from '@items/conventions/answer';

/** Without a report for this time, the process is not ready. */
export const STALE_MS = 5_000;
/** Without a report for this time, the process must be restarted. */
export const BLOCKED_MS = 30_000;

const LIVE = goodAnswer({ status: 'ok' });
const STARTING = unavailable('The service is starting.');
const SILENT = unavailable('The service has not answered for some seconds.');
const BLOCKED = unavailable('The service has not answered for a long time: it must be restarted.');

/** Derives responses to health checks from the last report of the serving process. ADR 45 */
export class HealthBoard {
  private latest: HealthAnswer | undefined;
  /**
   * Undefined before the first report. Until then the process counts as live, because migrations may block the main
   * thread for any time.
   */
  private reportedAtMs: number | undefined;

  constructor(private readonly now = () => performance.now()) {}

  /** @param answer response to a readiness check at this moment. */
  report(answer: HealthAnswer): void {
    this.latest = answer;
    this.reportedAtMs = this.now();
  }

  live(): HealthAnswer {
    return this.silentMs() > BLOCKED_MS ? BLOCKED : LIVE;
  }

  ready(): HealthAnswer {
    if (this.latest === undefined) return STARTING;
    return this.silentMs() > STALE_MS ? SILENT : this.latest;
  }

  private silentMs(): number {
    return this.reportedAtMs === undefined ? 0 : this.now() - this.reportedAtMs;
  }
}

export type HealthAnswer = ErrorAnswer;

/** @param body with `status: 'ok'` and further details. */
export function goodAnswer(body: object): HealthAnswer {
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(body) };
}

export function unavailable(sentence: string): HealthAnswer {
  return toErrorAnswer(new ServiceUnavailableError('unavailable', sentence));
}
