import { toErrorAnswer } from '@items/conventions/answer';

import { goodAnswer, type HealthAnswer } from './health-board.js';
import type { ReportHealth } from './serve-health.js';

const PERIOD_MS = 1_000;

export interface ReadinessSource {
  ready(): Promise<object>;
}

/**
 * Reports every second how the serving process would answer a readiness check. A slow check delays no report: meanwhile
 * the last result is repeated.
 * @param stopping aborted when the process is about to stop, which is reported immediately.
 */
export function reportReadiness(source: ReadinessSource, stopping: AbortSignal, report: ReportHealth): void {
  let latest: HealthAnswer | undefined;
  let [asked, answered] = [0, 0];
  const ask = async (): Promise<void> => {
    const question = (asked += 1);
    const answer = await source.ready().then(goodAnswer, toErrorAnswer);
    // A later check, such as that of the stop, has already reported.
    if (question < answered) return;
    answered = question;
    latest = answer;
    report(answer);
  };
  setInterval(() => {
    if (latest !== undefined) report(latest);
    if (asked === answered) void ask();
  }, PERIOD_MS).unref();
  stopping.addEventListener('abort', () => void ask(), { once: true });
  void ask();
}
