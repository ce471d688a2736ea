import { defineCollection, idFilter } from '@items/service/collections';
import { ORDER_STATUSES, type Order, type OrderInput } from '@items/dtos/contract';
import { OrderInputDto } from '@items/dtos';
import type { ListRules } from '@items/paging';

const FIRST_STATUS = 'pending';

/** An order has up to 100 lines, which can be 90 kB with long names. SPEC §4.1 */
const MAX_ORDERS_A_PAGE = 20;

/** Defines the orders of a user. Orders remain after their user is deleted. SPEC §2, §4.1 */
export const orderCollection = defineCollection<OrderInput, Order>({
  name: 'orders',
  singular: 'order',
  dto: OrderInputDto,
  parent: 'user_id',
  maxPageSize: MAX_ORDERS_A_PAGE,
  countedFilters: [['status']],
  defaults: { status: FIRST_STATUS },
  events: {
    subject: 'order',
    kinds: ['created', ...ORDER_STATUSES.filter((status) => status !== FIRST_STATUS)],
    updateKind: ({ status }) => status,
    owner: 'user_id',
  },
});

/** Sort orders and filters of the list of all orders. It reads the same table as the lists of users. SPEC §3 */
export const allOrderRules: ListRules = {
  sortable: orderCollection.sortable,
  ranges: orderCollection.ranges,
  maxPageSize: orderCollection.maxPageSize,
  filters: { user_id: idFilter, ...orderCollection.filters },
};
