import type { ErrorDetail, ErrorParams } from '@items/conventions';

import type { JsonObject } from './json-object.js';
import { REQUEST_ID, RETRY_AFTER } from '../header-names.js';
import { retryAfterSeconds } from './retry-after.js';
import { apiError, codeOf, type ApiErrorFacts, type ItemsApiError } from './items-api-error.js';

/** An answer that is not a success. */
export interface RefusedAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined where the body is not an object of JSON. */
  readonly body: JsonObject | undefined;
}

/**
 * What an answer that is not a success says.
 * @param conceal takes secrets out of what others have written.
 */
export function errorOfAnswer(
  answer: RefusedAnswer,
  maxDelayMs: number,
  conceal: (text: string) => string,
): ItemsApiError {
  const { status, headers, body } = answer;
  const { error, code, error_description: description, details } = body ?? {};
  // Under `/oauth`, `error` is the code and the sentence stands beside it. RFC 6749 §5.2
  const [sentence, given] = typeof description === 'string' ? [description, error] : [error, code];
  const seconds = retryAfterSeconds(headers.get(RETRY_AFTER));
  return apiError({
    status,
    // What a newer service may say is not known here.
    code:
      typeof error === 'string' && typeof given === 'string' ? (given as ApiErrorFacts['code']) : codeWithout(answer),
    message: (typeof sentence === 'string' ? conceal(sentence) : surprise(answer)) + waitNote(seconds, maxDelayMs),
    details: Array.isArray(details) ? details.filter(isDetail).map((detail) => concealed(detail, conceal)) : [],
    requestId: headers.get(REQUEST_ID) ?? undefined,
    retryAfterSeconds: seconds,
  });
}

/** An answer where another one was expected, such as a redirect. */
export function unexpected(status: number, message: string): ItemsApiError {
  return apiError({ status, code: 'unexpected_response', message });
}

function isDetail(detail: unknown): detail is ErrorDetail {
  const members = Object(detail) as object;
  return ['field', 'code', 'message'].every((name) => typeof Reflect.get(members, name) === 'string');
}

function concealed({ field, code, message, params }: ErrorDetail, conceal: (text: string) => string): ErrorDetail {
  return {
    ...{ field: conceal(field), code, message: conceal(message) },
    ...(params && { params: JSON.parse(conceal(JSON.stringify(params))) as ErrorParams }),
  };
}

/** A page with one of these is what a proxy says of the service, and it is understood. */
function codeWithout({ status, body }: RefusedAnswer): ApiErrorFacts['code'] {
  const isUnderstood = body !== undefined || status === 429 || status > 500;
  return (isUnderstood ? codeOf(status) : undefined) ?? 'unexpected_response';
}

function surprise({ status, headers }: RefusedAnswer): string {
  const type = headers.get('content-type')?.split(';')[0] ?? 'nothing';
  return `HTTP ${String(status)} with ${type} instead of JSON: a proxy may have answered.`;
}

function waitNote(seconds: number | undefined, maxDelayMs: number): string {
  if (seconds === undefined || seconds * 1000 <= maxDelayMs) return '';
  return ` Try again in ${String(seconds)} s, which is longer than maxDelayMs.`;
}
