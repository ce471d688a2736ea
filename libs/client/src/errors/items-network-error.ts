/**
 * No answer, or only a part of one: connection refused or reset, time-out, cut body. `cause` says more. Whether the
 * service has done what it was asked is not known; what could be repeated safely has been.
 */
export class ItemsNetworkError extends Error {
  override readonly name = 'ItemsNetworkError';
}
