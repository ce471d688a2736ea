import { type ApiError, MethodNotAllowedError, RouteNotFoundError } from '@items/conventions';

import type { RefusedHead } from './refused-head.js';
import { encodingFault, validateHead } from './request-head.js';
import type { RouteTable } from './route-table.js';

/**
 * Returns the error for a method that Node's parser does not support: the same as for a supported method that no route
 * has.
 * @returns 400, 404 or 405, in this order; undefined if the method is not the fault.
 * @see SPEC §1
 */
export function refusalOfMethod(head: RefusedHead, routes: RouteTable): ApiError | undefined {
  if (!head.hasUnknownMethod) return undefined;
  const fault = head.isWhole ? validateHead(head).fault : encodingFault(head.url);
  if (fault !== undefined) return fault;
  const allow = routes.allowedAt(head.url);
  return allow === undefined ? new RouteNotFoundError() : new MethodNotAllowedError(allow);
}
