import type { ApiError } from '../api-error.js';
import { toApiError } from './to-api-error.js';

/** An error in the form of a response, for any transport; header names are in lower case. SPEC §7 */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** JSON. Equal errors have equal bytes. */
  readonly body: string;
}

/** Others are not cached: caching costs five times as much as rendering. */
const answers = new WeakMap<ApiError, ErrorAnswer>();

/**
 * Renders an error that is thrown often, such as a 503 of a busy service. Do not change it afterwards.
 * @returns the same error.
 */
export function prerendered<Made extends ApiError>(error: Made): Made {
  const answer = answerOf(error);
  Object.freeze(answer.headers);
  answers.set(error, Object.freeze(answer));
  return error;
}

/** Converts anything thrown into an error response. SPEC §7 */
export function toErrorAnswer(thrown: unknown): ErrorAnswer {
  const error = toApiError(thrown);
  return answers.get(error) ?? answerOf(error);
}

function answerOf(error: ApiError): ErrorAnswer {
  return {
    status: error.status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...error.headers },
    body: JSON.stringify(error.toBody()),
  };
}
