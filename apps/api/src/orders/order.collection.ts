import { defineCollection, idFilter } from '@items/collections';
import { ORDER_STATUSES, type Order, type OrderInput } from '@items/contracts';
import { OrderInputDto } from '@items/dtos';
import type { ListRules } from '@items/paging';

const FIRST_STATUS = 'pending';

/** What the collection of a user's orders says about itself. An order outlives its user. SPEC §2, §4.1 */
export const orderCollection = defineCollection<OrderInput, Order>({
  name: 'orders',
  singular: 'order',
  dto: OrderInputDto,
  parent: 'user_id',
  counted: [['status']],
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
  filters: { user_id: idFilter, ...orderCollection.filters },
};
