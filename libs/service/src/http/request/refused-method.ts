import { type ApiError, MethodNotAllowedError, RouteNotFoundError } from '@items/conventions';

import type { RefusedHead } from './refused-head.js';
import { encodingFault, judgeHead } from './request-head.js';
import type { RouteTable } from './route-table.js';

/**
 * What a request deserves whose method Node's parser does not know: the same as with one that it knows and no route has.
 * @returns 400, 404 or 405, in this order; undefined where the method is not what is wrong.
 * @see SPEC §1
 */
export function refusalOfMethod(head: RefusedHead, routes: RouteTable): ApiError | undefined {
  if (!head.hasUnknownMethod) return undefined;
  const fault = head.isWhole ? judgeHead(head).fault : encodingFault(head.url);
  if (fault !== undefined) return fault;
  const allow = routes.allowedAt(head.url);
  return allow === undefined ? new RouteNotFoundError() : new MethodNotAllowedError(allow);
}
