import { ServiceModule } from '@items/service';
import { Module } from '@nestjs/common';

import { CreateItems1763000000001 } from '../migrations/1763000000001-create-items.js';
import { IndexItems1763000000002 } from '../migrations/1763000000002-index-items.js';
import { VersionItems1763000000003 } from '../migrations/1763000000003-version-items.js';
import { items } from './item.collection.js';

const migrations = [CreateItems1763000000001, IndexItems1763000000002, VersionItems1763000000003];

@Module({ imports: [ServiceModule.forFeature(items, { migrations })] })
export class ItemsModule {}
