import type { Transition } from '@items/contracts';

import type { CollectionDefinition } from '../collections/collection.js';
import { TransitionEntity } from './transition.entity.js';

/** A change of an order's status that is being made. */
export type MadeTransition = Pick<Transition, 'from' | 'to'> & { readonly order_id: string };

/** What the collection of an order's transitions says about itself. decisions §3 */
export const transitionCollection: CollectionDefinition<TransitionEntity, Transition, MadeTransition> = {
  name: 'transitions',
  singular: 'transition',
  entity: TransitionEntity,
  sortable: ['created_at'],
  filters: {},
  counted: [['order_id']],
  present: (row) => ({
    id: row.id,
    from: row.from_status,
    to: row.to_status,
    created_at: new Date(row.created_at).toISOString(),
  }),
  accept: ({ order_id: orderId, from, to }) => ({ order_id: orderId, from_status: from, to_status: to }),
};
