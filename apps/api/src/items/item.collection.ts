import type { Item, ItemInput } from '@items/contracts';
import { textFilter } from '@items/paging';

import type { CollectionDefinition } from '../collections/collection.js';
import { fieldsAs, money, plain } from '../collections/field-kinds.js';
import { ItemEntity } from './item.entity.js';

/** What the items collection says about itself. SPEC §2, §4 */
export const itemCollection: CollectionDefinition<ItemEntity, Item, ItemInput> = {
  name: 'items',
  singular: 'item',
  entity: ItemEntity,
  sortable: ['name', 'color', 'price', 'created_at', 'updated_at'],
  filters: { color: textFilter({ max: 30 }) },
  counted: [['color']],
  ...fieldsAs({ name: plain, description: plain, color: plain, price: money }),
};
