import type { ErrorDetail } from '@items/conventions';
import { REQUEST_ID, RETRY_AFTER } from '../header-names.js';
import { apiError, type ApiErrorFacts, codeOf, type ItemsApiError } from './items-api-error.js';

export type JsonObject = Readonly<Record<string, unknown>>;

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
    // Accepts unknown codes, because a newer service may add some.
    code:
      typeof error === 'string' && typeof given === 'string' ? (given as ApiErrorFacts['code']) : codeWithout(answer),
    message: (typeof sentence === 'string' ? sentence : surprise(answer)) + waitNote(seconds, maxDelayMs),
    details: Array.isArray(details) ? details.filter(isDetail) : [],
    requestId: headers.get(REQUEST_ID) ?? undefined,
    retryAfterSeconds: seconds,
  });
}

export function unexpected(status: number, message: string): ItemsApiError {
  return apiError({ status, code: 'unexpected_response', message });
}

function isDetail(detail: unknown): detail is ErrorDetail {
  const members = Object(detail) as object;
  return ['field', 'code', 'message'].every((name) => typeof Reflect.get(members, name) === 'string');
}

/**
 * Derives the code from the status if the response has no code. Without a JSON object, trusts only the statuses that a
 * proxy sends with the same meaning.
 */
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

const SECONDS = /^\d+(\.\d+)?$/;
const DATE = /^[a-z]{3}/i;

/**
 * Parses `Retry-After`: seconds, or a date of RFC 9110 §5.6.7, which is compared with the local clock.
 * @returns Whole seconds from now, at least 0; undefined if the header is absent or invalid.
 */
export function retryAfterSeconds(value: string | null): number | undefined {
  const text = value?.trim() ?? '';
  const isNumber = SECONDS.test(text);
  if (!isNumber && !DATE.test(text)) return undefined;
  const seconds = isNumber ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
