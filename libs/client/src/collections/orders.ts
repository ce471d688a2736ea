import type { Order, OrderInput, OrderStatus, Transition } from '@items/dtos/contract';

import type { ApiCall } from '../calls/api-call.js';
import type { CreateOptions } from '../client-options.js';
import { collection, create, type Collection } from './collection.js';
import { describeSource, type Reach } from './reach.js';
import { lists, type Lists } from './lists.js';
import { pathPart, type Between, type OneOrMore } from './list-query.js';

export interface OrderFilters extends Between<'total', number>, Between<'created_at' | 'updated_at', string> {
  readonly status?: OneOrMore<OrderStatus> | undefined;
}

export interface AllOrderFilters extends OrderFilters {
  readonly user_id?: OneOrMore<string> | undefined;
}

/** `/users/{user_id}/orders`. Orders change only by transitions, and cannot be deleted. SPEC §3 */
export interface Orders extends Pick<
  Collection<'orders', Order, OrderInput, OrderFilters>,
  'create' | 'get' | 'page' | 'walk'
> {
  /** Changes the status. @throws {ConflictError} The present status does not allow it. */
  transition(id: string, to: OrderStatus, options?: CreateOptions): ApiCall<Transition>;
}

/** `GET /orders`, for administrators. SPEC §3 */
export type AllOrders = Lists<'orders', Order, AllOrderFilters>;

/** @param userId An id, or `me`. */
export function orders(reach: Reach, userId: string): Orders {
  const path = `users/${pathPart(userId)}/orders`;
  return {
    ...collection<'orders', Order, OrderInput, OrderFilters>(reach, path),
    transition: (id, to, options) => create(reach.transport, `${path}/${pathPart(id)}/transitions`, { to }, options),
  };
}

export function allOrders(reach: Reach): AllOrders {
  return describeSource(lists(reach.transport, 'orders', 'orders'), { reach, path: 'orders', events: 'order' });
}
