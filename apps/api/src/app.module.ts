import 'reflect-metadata';

import { ServiceModule } from '@items/service';
import { Module } from '@nestjs/common';

import * as collections from './collections.js';
import { events } from './events.js';
import { ItemsModule } from './items/items.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { quickStart } from './quick-start.js';

/** Items and the orders of users. */
@Module({
  imports: [
    // A collection that its definition alone makes needs no module.
    ServiceModule.forRoot({ collections: Object.values(collections), document: { events, quickStart } }),
    ItemsModule,
    OrdersModule,
  ],
})
export class AppModule {}
