import 'reflect-metadata';

import { ServiceModule } from '@items/service';
import { Module } from '@nestjs/common';

import * as collections from './collections.js';
import { events } from './events.js';
import { ItemsModule } from './items/items.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { quickStart } from './quick-start.js';

@Module({
  imports: [
    ServiceModule.forRoot({ collections: Object.values(collections), document: { events, quickStart } }),
    ItemsModule,
    OrdersModule,
  ],
})
export class AppModule {}
