import { ConventionsModule } from '@items/service/collections';
import { Module } from '@nestjs/common';

import { scopedCollectionRoutes } from '@items/service/collections';
import { CreateItems1763000000001 } from '../migrations/1763000000001-create-items.js';
import { IndexItems1763000000002 } from '../migrations/1763000000002-index-items.js';
import { VersionItems1763000000003 } from '../migrations/1763000000003-version-items.js';
import { itemCollection } from './item.collection.js';

const collection = ConventionsModule.forFeature(itemCollection);

/** Serves the items collection. SPEC §2, §4 */
@Module({
  imports: [collection],
  exports: [collection],
  providers: [
    scopedCollectionRoutes(itemCollection, {
      path: 'items',
      read: 'items:read',
      write: 'items:write',
    }),
  ],
})
export class ItemsModule {
  static readonly collection = itemCollection;
  static readonly migrations = [CreateItems1763000000001, IndexItems1763000000002, VersionItems1763000000003];
}
