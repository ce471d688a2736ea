import { defineCollection } from '@items/service/collections';
import type { Transition, TransitionInput } from '@items/dtos/contract';
import { TransitionInputDto } from '@items/dtos';

/** Defines the transitions of an order. SPEC §3 */
export const transitionCollection = defineCollection<TransitionInput, Transition, { order_id: string }>({
  name: 'transitions',
  singular: 'transition',
  dto: TransitionInputDto,
  parent: 'order_id',
  sortableTimes: ['created_at'],
  columnNames: { from: 'from_status', to: 'to_status' },
  immutable: true,
});
