import { defineCollection } from '@items/service/collections';
import type { Item, ItemInput } from '@items/dtos/contract';
import { ItemInputDto } from '@items/dtos';

/** What the items collection says about itself. SPEC §2, §4 */
export const itemCollection = defineCollection<ItemInput, Item>({
  name: 'items',
  singular: 'item',
  dto: ItemInputDto,
  events: 'item',
});
