import { toErrorAnswer } from '@items/conventions/answer';

import { goodAnswer, type HealthAnswer } from './health-answer.js';
import type { TellHealth } from './serve-health.js';

/** How often a process gives a sign of life, and asks itself whether it is ready. */
const PERIOD_MS = 1_000;

/** What says whether a process is ready. */
export interface ReadinessSource {
  /** @returns what is answered. @throws {ApiError} why it is not ready. */
  ready(): Promise<object>;
}

/**
 * Reports each second how a serving process would answer a check of its readiness. A slow check, such as of a
 * database that does not answer, delays no report: until it ends, the last result is repeated.
 * @param stopping aborted when the process is about to stop: it is reported at once.
 */
export function reportReadiness(source: ReadinessSource, stopping: AbortSignal, tell: TellHealth): void {
  let latest: HealthAnswer | undefined;
  let [asked, answered] = [0, 0];
  const ask = async (): Promise<void> => {
    const question = (asked += 1);
    const answer = await source.ready().then(goodAnswer, toErrorAnswer);
    // It may have been overtaken by the one of the stop.
    if (question < answered) return;
    answered = question;
    latest = answer;
    tell(answer);
  };
  setInterval(() => {
    if (latest !== undefined) tell(latest);
    if (asked === answered) void ask();
  }, PERIOD_MS).unref();
  stopping.addEventListener('abort', () => void ask(), { once: true });
  void ask();
}
