import { ServiceModule } from '@items/service';
import { Module } from '@nestjs/common';

import { items } from './item.collection.js';
import { ItemsBaseline } from './items-baseline.js';

@Module({ imports: [ServiceModule.forFeature(items, { migrations: [ItemsBaseline] })] })
export class ItemsModule {}
