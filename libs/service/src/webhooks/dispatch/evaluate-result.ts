import { formatTime } from '../../data/definition/column-codecs.js';
import type { DeliveryAttempt } from '@items/dtos/contract';

import { PING } from '../deliveries/delivery-rows.js';
import type { AttemptResult } from '../sending/attempt.js';
import type { Dispatch } from './dispatch.js';
import type { DueJobs } from './due-jobs.js';
import type { Job, Outcome } from './job.js';
import { retryDelayMs } from './schedule.js';

interface EvaluationContext {
  readonly dispatch: Pick<Dispatch, 'clock' | 'policy' | 'onAttempt'>;
  readonly due: Pick<DueJobs, 'health' | 'waiting'>;
  readonly isDisabled: boolean;
}

/** Determines the new status of a delivery, and plans its retry. A disabled webhook has no retries. */
export function evaluateResult(job: Job, result: AttemptResult | 'unsendable', context: EvaluationContext): Outcome {
  const { dispatch, due, isDisabled } = context;
  const { health, waiting } = due;
  if (result === 'unsendable') {
    // An unsendable requested attempt leaves the status unchanged; other unsendable jobs end the delivery.
    if (job.reason === 'requested') return { job };
    waiting.remove(job.eventId);
    return { job, status: 'failed', nextAttemptAt: null };
  }
  const attempt = shown(result);
  const now = dispatch.clock.now();
  dispatch.onAttempt?.(result.error === null ? 'succeeded' : 'failed');
  if (result.error === null) {
    waiting.onSuccess(job.eventId);
    health.reset();
    return { job, attempt, status: 'succeeded', nextAttemptAt: null };
  }
  health.applyResponse(isDisabled ? { ...result, gone: false } : result, now);
  if (job.type === PING) return { job, attempt, status: 'failed' };
  health.addFailure(result.at.getTime(), now);
  if (job.reason === 'requested' || job.reason === 'early') return { job, attempt };
  return planned(job, attempt, now, context);
}

function planned(job: Job, attempt: DeliveryAttempt, now: number, context: EvaluationContext): Outcome {
  const { dispatch, due, isDisabled } = context;
  const { health, waiting } = due;
  const tries = (job.reason === 'retry' ? job.tries : 0) + 1;
  const delay = retryDelayMs(dispatch.policy, tries, dispatch.clock.random());
  if (delay === undefined || isDisabled || health.disableReason !== undefined) {
    waiting.remove(job.eventId);
    return { job, attempt, status: 'failed', nextAttemptAt: null, tries };
  }
  const dueAt = Math.max(now + delay, health.holdUntil ?? 0);
  waiting.planRetry(job, tries, dueAt, now);
  return { job, attempt, status: 'pending', nextAttemptAt: dueAt, tries };
}

function shown({ at, durationMs, statusCode, error }: AttemptResult): DeliveryAttempt {
  return { at: formatTime(at.getTime()), duration_ms: durationMs, status_code: statusCode, error };
}
