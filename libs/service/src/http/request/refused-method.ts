import { type ApiError, MethodNotAllowedError, RouteNotFoundError } from '@items/conventions';

import type { RefusedHead } from './refused-head.js';
import { encodingFault, validateHead } from './request-head.js';
import type { RouteTable } from './route-table.js';

/**
 * Returns the same error as for a supported method that no route has: 400, 404 or 405, in this order; undefined if the
 * method is not the fault. SPEC §1
 */
export function refusalOfMethod(head: RefusedHead, routes: RouteTable): ApiError | undefined {
  if (!head.hasUnknownMethod) return undefined;
  const fault = head.isWhole ? validateHead(head).fault : encodingFault(head.url);
  if (fault !== undefined) return fault;
  const allow = routes.allowedAt(head.url);
  return allow === undefined ? new RouteNotFoundError() : new MethodNotAllowedError(allow);
}
