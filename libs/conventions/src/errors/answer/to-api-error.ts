import type { ApiError } from '../api-error.js';
import { InternalError } from '../service-errors.js';
import { frameworkError, isRecord, parserError, refusal } from './framework-errors.js';
import { fromHttpException, isHttpException } from './http-exception.js';

/** Converts anything that a handler throws or Node's HTTP parser reports. SPEC §7 */
export function toApiError(thrown: unknown): ApiError {
  return parserError(thrown) ?? thrownError(thrown);
}

/**
 * Unknown errors become a 500 with the original as `cause`, for the log. Classes are not compared: an app may have two
 * copies of a package.
 */
export function thrownError(thrown: unknown): ApiError {
  if (isApiError(thrown)) return thrown;
  if (isHttpException(thrown)) return fromHttpException(thrown);
  return frameworkError(thrown) ?? refusal(thrown) ?? new InternalError(thrown);
}

function isApiError(thrown: unknown): thrown is ApiError {
  return isRecord(thrown) && typeof thrown['status'] === 'number' && typeof thrown['toBody'] === 'function';
}
