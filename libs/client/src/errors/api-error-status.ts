import { ItemsApiError } from './items-api-error.js';

/** Whether this is an answer of the API with this status. */
export function isStatus(error: unknown, status: number): error is ItemsApiError {
  return error instanceof ItemsApiError && error.status === status;
}

/** The answer says that nothing was done, so that asking again is safe whatever was asked. SPEC §7, §8 */
export function wasRefused(error: unknown): boolean {
  return isStatus(error, 429) || isStatus(error, 503);
}
