import { ServiceUnavailableError } from '@items/conventions';
import { type ErrorAnswer, toErrorAnswer } from '@items/conventions/answer';

export type HealthAnswer = ErrorAnswer;

/** @param body with `status: 'ok'` and further details. */
export function goodAnswer(body: object): HealthAnswer {
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(body) };
}

export function unavailable(sentence: string): HealthAnswer {
  return toErrorAnswer(new ServiceUnavailableError('unavailable', sentence));
}
