import type { ApiError } from '../api-error.js';
import { toApiError } from './to-api-error.js';

/** An error as it goes over the wire, whatever carries it there. SPEC §7 */
export interface ErrorAnswer {
  readonly status: number;
  /** Lower-case names; `content-type` among them. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** JSON text, the same byte for byte for two same requests. */
  readonly body: string;
}

/**
 * Responses of errors marked by {@link prerendered}, which are thrown many times. Those of others are not cached: that costs
 * five times what making one does.
 */
const answers = new WeakMap<ApiError, ErrorAnswer>();

/**
 * Marks an error that is made once and thrown for many requests, such as a 503 of a busy service: its answer is made here,
 * and only here, so that the error must not be changed afterwards.
 * @returns the same error.
 */
export function prerendered<Made extends ApiError>(error: Made): Made {
  const answer = answerOf(error);
  Object.freeze(answer.headers);
  answers.set(error, Object.freeze(answer));
  return error;
}

/**
 * Turns whatever was thrown into the one shape of an error answer.
 * @see SPEC §7
 */
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
