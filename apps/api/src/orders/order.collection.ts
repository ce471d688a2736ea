import { fromCents, ORDER_STATUSES, toCents, type Order, type OrderLine, type OrderStatus } from '@items/contracts';
import { oneOf } from '@items/paging';

import type { CollectionDefinition } from '../collections/collection.js';
import { OrderEntity } from './order.entity.js';
import { totalCents } from './order-total.js';

const FIRST_STATUS: OrderStatus = 'pending';

/** An order that is being placed: its lines have the items' names and prices. */
export type PlacedOrder = Pick<Order, 'user_id' | 'lines'>;

/** What the collection of a user's orders says about itself. SPEC §2, decisions §4 */
export const orderCollection: CollectionDefinition<OrderEntity, Order, PlacedOrder> = {
  name: 'orders',
  singular: 'order',
  entity: OrderEntity,
  sortable: ['created_at', 'updated_at', 'total'],
  filters: { status: oneOf(ORDER_STATUSES) },
  counted: [['user_id'], ['user_id', 'status']],
  present: (row) => ({
    id: row.id,
    user_id: row.user_id,
    status: row.status,
    lines: (JSON.parse(row.lines) as OrderLine[]).map((line) => ({ ...line, unit_price: fromCents(line.unit_price) })),
    total: fromCents(row.total),
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  }),
  accept: ({ user_id: userId, lines }) => ({
    user_id: userId,
    status: FIRST_STATUS,
    lines: JSON.stringify(lines.map((line) => ({ ...line, unit_price: toCents(line.unit_price) }))),
    total: totalCents(lines),
  }),
};
