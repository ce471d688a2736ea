import type { ItemInput } from './contract/index.js';
import { Filterable, Money, Optional, ReadOnly, Sortable, Text, WITHOUT_COMMA } from '@items/fields';

@ReadOnly('id', 'created_at', 'updated_at')
export class ItemInputDto implements ItemInput {
  @Sortable()
  @Text({ min: 1, max: 200, trim: true, description: 'Stored without white space at its ends.', example: 'Blue mug' })
  name!: string;

  @Optional()
  @Text({ max: 2000, example: 'Holds 0.3 l' })
  description!: string | null;

  @Sortable()
  @Filterable()
  @Optional()
  @Text({
    min: 1,
    max: 30,
    pattern: WITHOUT_COMMA,
    description: 'Without a comma, which separates colours in the filter.',
    example: 'blue',
  })
  color!: string | null;

  @Sortable()
  @Optional()
  @Money({ description: "In the service's currency, with at most 2 decimals; stored exactly.", example: 12.5 })
  price!: number | null;
}
