import { defineCollection, idFilter } from '@items/service/collections';
import { ORDER_STATUSES, type Order, type OrderInput } from '@items/dtos/contract';
import { OrderInputDto } from '@items/dtos';
import type { ListRules } from '@items/paging';

const FIRST_STATUS = 'pending';

/** An order has up to 100 lines: 90 kB where their names are long. SPEC §4.1 */
const MAX_ORDERS_A_PAGE = 20;

/** What the collection of a user's orders says about itself. An order outlives its user. SPEC §2, §4.1 */
export const orderCollection = defineCollection<OrderInput, Order>({
  name: 'orders',
  singular: 'order',
  dto: OrderInputDto,
  parent: 'user_id',
  // An order has up to 100 lines, 100 kB in all.
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

/** What everybody's orders are listed by: the same table as each user's. SPEC §3 */
export const allOrderRules: ListRules = {
  sortable: orderCollection.sortable,
  ranges: orderCollection.ranges,
  maxPageSize: orderCollection.maxPageSize,
  filters: { user_id: idFilter, ...orderCollection.filters },
};
