import type { ErrorDetail } from '@items/conventions';

import type { JsonObject } from './json-object.js';
import { REQUEST_ID, RETRY_AFTER } from '../header-names.js';
import { retryAfterSeconds } from './retry-after.js';
import { apiError, codeOf, type ApiErrorFacts, type ItemsApiError } from './items-api-error.js';

export interface RefusedAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Contains no secrets; undefined if the body is not a JSON object. */
  readonly body: JsonObject | undefined;
}

export function errorOfAnswer(answer: RefusedAnswer, maxDelayMs: number): ItemsApiError {
  const { status, headers, body } = answer;
  const { error, code, error_description: description, details } = body ?? {};
  // Under `/oauth`, `error` is the code and `error_description` the sentence. RFC 6749 §5.2
  const [sentence, given] = typeof description === 'string' ? [description, error] : [error, code];
  const seconds = retryAfterSeconds(headers.get(RETRY_AFTER));
  return apiError({
    status,
    // A newer service may return a code that this version does not list.
    code:
      typeof error === 'string' && typeof given === 'string' ? (given as ApiErrorFacts['code']) : codeWithout(answer),
    message: (typeof sentence === 'string' ? sentence : surprise(answer)) + waitNote(seconds, maxDelayMs),
    details: Array.isArray(details) ? details.filter(isDetail) : [],
    requestId: headers.get(REQUEST_ID) ?? undefined,
    retryAfterSeconds: seconds,
  });
}

/** An unexpected response, such as a redirect. */
export function unexpected(status: number, message: string): ItemsApiError {
  return apiError({ status, code: 'unexpected_response', message });
}

function isDetail(detail: unknown): detail is ErrorDetail {
  const members = Object(detail) as object;
  return ['field', 'code', 'message'].every((name) => typeof Reflect.get(members, name) === 'string');
}

/** Returns the code for a response without one. A proxy sends these statuses too, and they have a clear meaning. */
function codeWithout({ status, body }: RefusedAnswer): ApiErrorFacts['code'] {
  const isUnderstood = body !== undefined || status === 429 || status > 500;
  return (isUnderstood ? codeOf(status) : undefined) ?? 'unexpected_response';
}

function surprise({ status, headers }: RefusedAnswer): string {
  const type = headers.get('content-type')?.split(';')[0] ?? 'nothing';
  return `HTTP ${String(status)} with ${type} instead of JSON: perhaps from a proxy.`;
}

function waitNote(seconds: number | undefined, maxDelayMs: number): string {
  if (seconds === undefined || seconds * 1000 <= maxDelayMs) return '';
  return ` Try again in ${String(seconds)} s (beyond maxDelayMs).`;
}
