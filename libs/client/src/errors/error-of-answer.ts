import { HEADER, type ErrorDetail } from '@items/conventions';

import type { JsonObject } from './json-object.js';
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
  const said = body === undefined ? undefined : saidBy(body, conceal);
  const seconds = retryAfterSeconds(headers.get(HEADER.retryAfter));
  return apiError({
    status,
    // A page with one of these is what a proxy says of the service, and it is understood.
    code: said?.code ?? (body !== undefined || isProxys(status) ? codeOf(status) : undefined) ?? 'unexpected_response',
    message: (said?.message ?? surprise(answer)) + waitNote(seconds, maxDelayMs),
    details: said?.details ?? [],
    requestId: headers.get(HEADER.requestId) ?? undefined,
    retryAfterSeconds: seconds,
  });
}

/** An answer where another one was expected, such as a redirect. */
export function unexpected(status: number, message: string): ItemsApiError {
  return apiError({ status, code: 'unexpected_response', message });
}

/** SPEC §7; under `/oauth`, `error` is the code and the sentence stands beside it. RFC 6749 §5.2 */
function saidBy(
  { error, code, error_description: description, details }: JsonObject,
  conceal: (text: string) => string,
): (Pick<ApiErrorFacts, 'message' | 'details'> & { code: ApiErrorFacts['code'] | undefined }) | undefined {
  if (typeof error !== 'string') return undefined;
  const isOauth = typeof description === 'string';
  const given = isOauth ? error : code;
  return {
    message: conceal(isOauth ? description : error),
    // What a newer service may say is not known here.
    code: typeof given === 'string' ? (given as ApiErrorFacts['code']) : undefined,
    details: Array.isArray(details) ? details.filter(isDetail).map((detail) => concealed(detail, conceal)) : [],
  };
}

function isDetail(detail: unknown): detail is ErrorDetail {
  if (typeof detail !== 'object' || detail === null) return false;
  return ['field', 'code', 'message'].every((name) => typeof Reflect.get(detail, name) === 'string');
}

function concealed({ field, code, message }: ErrorDetail, conceal: (text: string) => string): ErrorDetail {
  return { field: conceal(field), code, message: conceal(message) };
}

function isProxys(status: number): boolean {
  return status === 429 || status > 500;
}

function surprise({ status, headers }: RefusedAnswer): string {
  const type = headers.get('content-type')?.split(';')[0] ?? 'nothing';
  return `HTTP ${String(status)} with ${type} instead of JSON: a proxy may have answered.`;
}

function waitNote(seconds: number | undefined, maxDelayMs: number): string {
  if (seconds === undefined || seconds * 1000 <= maxDelayMs) return '';
  return ` Try again in ${String(seconds)} s, which is longer than maxDelayMs.`;
}
