import { OrderInputDto } from '@items/dtos';
import { NotOwnerError } from '@items/conventions';
import { anyPageSchema, listContent, type OperationDescription, resourceSchema } from '@items/service/openapi';

import { allOrderRules } from './order.collection.js';

const ORDER = resourceSchema(OrderInputDto);

/** Schema that serialises the list of all orders. */
export const ALL_ORDERS_PAGE = anyPageSchema('orders', ORDER);

/** Describes the list of all orders in the OpenAPI document. SPEC §3 */
export const allOrdersOperation: OperationDescription = {
  tag: 'Orders',
  id: 'listAllOrders',
  summary: 'List all orders',
  description: 'For administrators. Each order is found, and changed, at `/users/{user_id}/orders/{id}`.',
  ending: 'list',
  list: allOrderRules,
  errors: [new NotOwnerError()],
  ...listContent('orders', 'Order', ORDER, allOrderRules.maxPageSize),
};
