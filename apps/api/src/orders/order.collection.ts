import { OrderFieldsDto, OrderInputDto } from '@items/dtos';
import { ORDER_STATUSES } from '@items/dtos/contract';
import { collection } from '@items/service';

import { items } from '../items/item.collection.js';
import { captureLines, TOTAL_TOO_LARGE, totalOf } from './order-lines.js';

const [FIRST_STATUS, ...LATER_STATUSES] = ORDER_STATUSES;

/** An order has up to 100 lines, which are 90 kB with long names, so a page has at most 1.8 MB. SPEC §4.1 */
const MAX_ORDERS_A_PAGE = 20;

/** Orders change only by transitions, and remain after their user is deleted. SPEC §2, §3, §4.1 */
export const orders = collection({
  name: 'orders',
  singular: 'order',
  input: OrderInputDto,
  fields: OrderFieldsDto,
  parent: 'users',
  onDelete: 'keep',
  methods: ['list', 'create', 'get'],
  maxPageSize: MAX_ORDERS_A_PAGE,
  countedFilters: [['status']],
  events: true,
  kinds: ['created', ...LATER_STATUSES],
  rules: {
    create: async ({ lines }, { tx }) => {
      const ids = lines.map((line) => line.item_id);
      const captured = captureLines(lines, await items.getAll(tx, ids));
      return { lines: captured, status: FIRST_STATUS, total: totalOf(captured) };
    },
  },
  ruleErrors: { create: [TOTAL_TOO_LARGE] },
});
