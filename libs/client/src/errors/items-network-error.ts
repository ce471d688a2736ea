/**
 * The response is missing or incomplete: connection refused or reset, timeout, truncated body. See `cause`. The service
 * may or may not have processed the request. Requests that are safe to repeat were already retried.
 */
export class ItemsNetworkError extends Error {
  override readonly name = 'ItemsNetworkError';
}
