import { ItemInputDto } from '@items/dtos';
import { Module } from '@nestjs/common';

import { collectionController } from '../collections/collection-controller.js';
import { CollectionsModule } from '../collections/collections.module.js';
import { itemCollection } from './item.collection.js';

const collection = CollectionsModule.of(itemCollection);

/** The items collection. SPEC §2, §4 */
@Module({
  imports: [collection],
  exports: [collection],
  controllers: [
    collectionController(itemCollection, ItemInputDto, { path: 'items', read: 'items:read', write: 'items:write' }),
  ],
})
export class ItemsModule {}
