import { ORDER_STATUSES, type OrderStatus } from '@items/dtos/contract';
import { Choice, DefaultsTo, Integer, Money, NestedList, Optional, ReadOnly, RowId, Text } from '@items/fields';

/** A line of an order in an import: as in a POST, or with the captured name and price. */
class ImportedOrderLineDto {
  @RowId()
  item_id!: string;

  @Integer({ min: 1, max: 10_000 })
  quantity!: number;

  @Optional()
  @Text({ min: 1, max: 200 })
  name!: string | null;

  @Optional()
  @Money()
  unit_price!: number | null;
}

/** An order in an import: as in a POST, or as in a response. */
@ReadOnly('id', 'user_id', 'created_at', 'updated_at')
export class ImportedOrderDto {
  @NestedList(() => ImportedOrderLineDto, { min: 1, max: 100 })
  lines!: ImportedOrderLineDto[];

  @DefaultsTo('pending')
  @Choice(ORDER_STATUSES)
  status!: OrderStatus;

  @Optional()
  @Money()
  total!: number | null;
}
