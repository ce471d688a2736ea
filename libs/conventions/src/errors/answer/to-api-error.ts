import type { ApiError } from '../api-error.js';
import { InternalError } from '../service-errors.js';
import { frameworkError, refusal } from './framework-errors.js';
import { fromHttpException, isHttpException } from './http-exception.js';
import { parserError } from './parser-error.js';
import { isRecord } from './records.js';

/**
 * Turns whatever a handler has thrown, or Node's HTTP parser has reported, into one of our errors.
 * @see SPEC §7
 */
export function toApiError(thrown: unknown): ApiError {
  return parserError(thrown) ?? thrownError(thrown);
}

/**
 * Turns whatever a handler has thrown into one of our errors. What cannot be foreseen becomes a 500 that keeps it as its
 * cause, for the log alone. Classes are not compared: an app may hold two copies of a package.
 */
export function thrownError(thrown: unknown): ApiError {
  if (isApiError(thrown)) return thrown;
  if (isHttpException(thrown)) return fromHttpException(thrown);
  return frameworkError(thrown) ?? refusal(thrown) ?? new InternalError(thrown);
}

function isApiError(thrown: unknown): thrown is ApiError {
  return isRecord(thrown) && typeof thrown['status'] === 'number' && typeof thrown['toBody'] === 'function';
}
