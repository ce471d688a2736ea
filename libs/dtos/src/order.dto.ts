import {
  ORDER_STATUSES,
  type OrderInput,
  type OrderLineInput,
  type OrderStatus,
  type TransitionInput,
} from './contract/index.js';
import { Choice, Filterable, Integer, Money, NestedList, ReadOnly, Sortable, Text } from '@items/fields';

export class OrderLineDto implements OrderLineInput {
  @Text({
    min: 1,
    max: 36,
    isId: true,
    description: 'The id of an item that has a price.',
    example: '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27',
  })
  item_id!: string;

  @Integer({ min: 1, max: 10_000, example: 2 })
  quantity!: number;

  @ReadOnly()
  @Text({ min: 1, max: 200, description: "The item's name when the order was placed.", example: 'Blue mug' })
  readonly name?: string;

  @ReadOnly()
  @Money({ description: "The item's price when the order was placed.", example: 12.5 })
  readonly unit_price?: number;
}

@ReadOnly('id', 'created_at', 'updated_at', 'user_id', 'status', 'total')
export class OrderInputDto implements OrderInput {
  @NestedList(() => OrderLineDto, { min: 1, max: 100 })
  lines!: OrderLineDto[];
}

/** The fields of an order that the service sets. SPEC §2.3 */
export class OrderFieldsDto {
  @Filterable()
  @Choice(ORDER_STATUSES, { description: 'Changed by transitions only.', example: 'pending' })
  status!: OrderStatus;

  @Sortable()
  @Money({ description: 'The exact sum of the lines.', example: 25 })
  total!: number;
}

/** The body of POST for a transition; responses add the read-only fields. SPEC §3 */
@ReadOnly('id', 'created_at')
export class TransitionInputDto implements TransitionInput {
  @Choice(ORDER_STATUSES, { description: 'The new status.', example: 'confirmed' })
  to!: OrderStatus;

  @ReadOnly()
  @Choice(ORDER_STATUSES, { description: 'The status before the transition.', example: 'pending' })
  readonly from?: undefined;
}
