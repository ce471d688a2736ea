import {
  ORDER_STATUSES,
  type OrderInput,
  type OrderLineInput,
  type OrderStatus,
  type TransitionInput,
} from '@items/contracts';

import { Choice } from './fields/choice.js';
import { NestedList } from './fields/nested.js';
import { Integer } from './fields/numbers.js';
import { ReadOnly } from './fields/presence.js';
import { Text } from './fields/text.js';

/** A line of the body of `POST /users/{user_id}/orders`. SPEC §2, decisions §2 */
@ReadOnly('name', 'unit_price')
export class OrderLineDto implements OrderLineInput {
  @Text({
    min: 1,
    max: 36,
    description: 'Of an item that has a price.',
    example: '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27',
  })
  item_id!: string;

  @Integer({ min: 1, max: 10_000, example: 2 })
  quantity!: number;
}

/** The body of `POST /users/{user_id}/orders`. SPEC §2, decisions §2 */
@ReadOnly('id', 'user_id', 'status', 'total', 'created_at', 'updated_at')
export class OrderInputDto implements OrderInput {
  @NestedList(() => OrderLineDto, { min: 1, max: 100 })
  lines!: OrderLineDto[];
}

/** The body of `POST /users/{user_id}/orders/{id}/transitions`. decisions §3 */
@ReadOnly('id', 'from', 'created_at')
export class TransitionInputDto implements TransitionInput {
  @Choice(ORDER_STATUSES, { description: 'What the order is to become.', example: 'confirmed' })
  to!: OrderStatus;
}
