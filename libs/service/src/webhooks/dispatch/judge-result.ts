import { formatTime } from '../../data/definition/column-codecs.js';
import type { DeliveryAttempt } from '@items/dtos/contract';

import { PING } from '../deliveries/delivery-rows.js';
import type { AttemptResult } from '../sending/attempt.js';
import type { Dispatch } from './dispatch.js';
import type { Job, Outcome } from './job.js';
import type { ReceiverHealth } from './receiver-health.js';
import { retryDelayMs } from './schedule.js';
import type { WaitingDeliveries } from './waiting-deliveries.js';

export interface JudgeContext {
  readonly dispatch: Pick<Dispatch, 'clock' | 'policy' | 'onAttempt'>;
  readonly health: ReceiverHealth;
  readonly waiting: WaitingDeliveries;
  readonly isDisabled: boolean;
}

/** Determines the new status of a delivery, and plans its retry. A disabled webhook has no retries. */
export function judgeResult(job: Job, result: AttemptResult, judged: JudgeContext): Outcome {
  const { dispatch, health, waiting, isDisabled } = judged;
  const attempt = shown(result);
  const now = dispatch.clock.now();
  dispatch.onAttempt?.(result.error === null ? 'succeeded' : 'failed');
  if (result.error === null) {
    waiting.succeed(job.eventId);
    health.clear();
    return { job, attempt, status: 'succeeded', nextAttemptAt: null };
  }
  health.heed(isDisabled ? { ...result, gone: false } : result, now);
  if (job.type === PING) return { job, attempt, status: 'failed' };
  health.fail(result.at.getTime(), now);
  if (job.reason === 'requested' || job.reason === 'early') return { job, attempt };
  return planned(job, attempt, now, judged);
}

function planned(job: Job, attempt: DeliveryAttempt, now: number, judged: JudgeContext): Outcome {
  const { dispatch, health, waiting, isDisabled } = judged;
  const tries = (job.reason === 'retry' ? job.tries : 0) + 1;
  const delay = retryDelayMs(dispatch.policy, tries, dispatch.clock.random());
  if (delay === undefined || isDisabled || health.ending !== undefined) {
    waiting.giveUp(job.eventId);
    return { job, attempt, status: 'failed', nextAttemptAt: null, tries };
  }
  const dueAt = Math.max(now + delay, health.holdUntil ?? 0);
  waiting.plan(job, tries, dueAt, now);
  return { job, attempt, status: 'pending', nextAttemptAt: dueAt, tries };
}

function shown({ at, durationMs, statusCode, error }: AttemptResult): DeliveryAttempt {
  return { at: formatTime(at.getTime()), duration_ms: durationMs, status_code: statusCode, error };
}
