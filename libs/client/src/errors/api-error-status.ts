import { ItemsApiError } from './items-api-error.js';

export function isStatus(error: unknown, status: number): error is ItemsApiError {
  return error instanceof ItemsApiError && error.status === status;
}

/** Whether the service refused a request before it did anything, so that it may be repeated. SPEC §7, §8 */
export function wasRefused(error: unknown): boolean {
  return isStatus(error, 429) || isStatus(error, 503);
}
