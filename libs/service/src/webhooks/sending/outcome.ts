import { errors } from 'undici';
import { type AttemptError, AttemptFailure, type AttemptResult } from './attempt.js';

export type PartialResult = Partial<Omit<AttemptResult, 'at' | 'durationMs'>>;

export function resultOf(at: Date, durationMs: number, outcome: PartialResult): AttemptResult {
  return { at, durationMs, statusCode: null, error: null, gone: false, holdSeconds: null, ...outcome };
}

export function outcomeOfResponse(statusCode: number, retryAfter: string | undefined, now: number): PartialResult {
  const isSuccess = statusCode >= 200 && statusCode < 300;
  const holds = statusCode === 429 || statusCode === 503;
  return {
    statusCode,
    error: isSuccess ? null : 'status',
    gone: statusCode === 410,
    holdSeconds: holds ? retryAfterSeconds(retryAfter, now) : null,
  };
}

/**
 * Maps a network error to the reason shown to the webhook's owner.
 * @throws other errors: an invalid request, or a closed sender.
 */
export function reasonOf(error: unknown): AttemptError {
  if (error instanceof AttemptFailure) return error.reason;
  if (error instanceof errors.HTTPParserError) return 'connect';
  const code = codeOf(error);
  if (code === undefined || error instanceof errors.InvalidArgumentError) throw error;
  // With TLS 1.3, a receiver can refuse the handshake after our side has connected, so TLS errors also arrive here.
  return code.startsWith('ERR_SSL_') ? 'tls' : 'connect';
}

/** Only errors of network, TLS and HTTP have a code. */
function codeOf(error: unknown): string | undefined {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

const LONGEST_SECONDS = 3600;

/**
 * Parses `Retry-After`: seconds, or the time until a date. RFC 9110 §10.2.3
 * @param now milliseconds since the epoch.
 * @returns at most one hour; null if the value is neither.
 */
function retryAfterSeconds(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((dateIn(value) - now) / 1000);
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), LONGEST_SECONDS);
}

/** Requires GMT, because `Date.parse` accepts more than HTTP dates. */
function dateIn(value: string): number {
  return value.endsWith(' GMT') ? Date.parse(value) : Number.NaN;
}
