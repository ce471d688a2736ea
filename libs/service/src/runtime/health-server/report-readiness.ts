import { toErrorAnswer } from '@items/conventions/answer';

import { goodAnswer, type HealthAnswer } from './health-board.js';
import type { ReportHealth } from './serve-health.js';

const PERIOD_MS = 1_000;

export interface ReadinessSource {
  ready(): Promise<object>;
}

/**
 * Reports the readiness of the serving process every second. While a check is pending, repeats the last result.
 * @param stopping aborted when the process is about to stop. The abort is reported immediately.
 */
export function reportReadiness(source: ReadinessSource, stopping: AbortSignal, report: ReportHealth): void {
  let latest: HealthAnswer | undefined;
  let [started, reported] = [0, 0];
  const runCheck = async (): Promise<void> => {
    const check = (started += 1);
    const answer = await source.ready().then(goodAnswer, toErrorAnswer);
    // A later check, such as the one at the stop, has already reported.
    if (check < reported) return;
    reported = check;
    latest = answer;
    report(answer);
  };
  setInterval(() => {
    if (latest !== undefined) report(latest);
    if (started === reported) void runCheck();
  }, PERIOD_MS).unref();
  stopping.addEventListener('abort', () => void runCheck(), { once: true });
  void runCheck();
}
