import { defineCollection } from '@items/service/collections';
import type { Item, ItemInput } from '@items/dtos/contract';
import { ItemInputDto } from '@items/dtos';

/** Defines the items collection. SPEC §2, §4 */
export const itemCollection = defineCollection<ItemInput, Item>({
  name: 'items',
  singular: 'item',
  dto: ItemInputDto,
  events: 'item',
});
