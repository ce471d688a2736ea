import { ServiceUnavailableError } from '@items/conventions';
import { type ErrorAnswer, toErrorAnswer } from '@items/conventions/answer';

/** What is answered to a health check, good or bad. */
export type HealthAnswer = ErrorAnswer;

/** @param body with `status: 'ok'`, and what else a check may want to know. */
export function goodAnswer(body: object): HealthAnswer {
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(body) };
}

/** 503 with a sentence of its own. */
export function unavailable(sentence: string): HealthAnswer {
  return toErrorAnswer(new ServiceUnavailableError('unavailable', sentence));
}
