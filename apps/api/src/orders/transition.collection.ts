import { TransitionInputDto } from '@items/dtos';
import type { Transition, TransitionInput } from '@items/dtos/contract';
import { defineCollection } from '@items/service/collections';

/**
 * Uses `defineCollection`, because `TransitionsController` serves the routes: each transition also changes its order.
 * Use `collection` if the service can serve the routes.
 */
export const transitions = defineCollection<TransitionInput, Transition, { order_id: string }>({
  name: 'transitions',
  singular: 'transition',
  dto: TransitionInputDto,
  parent: 'order_id',
  sortableTimes: ['created_at'],
  columnNames: { from: 'from_status', to: 'to_status' },
  immutable: true,
});
