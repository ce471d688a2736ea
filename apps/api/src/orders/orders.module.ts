import { Module } from '@nestjs/common';

import { OwnersModule } from '../auth/owners.module.js';
import { CollectionsModule } from '../collections/collections.module.js';
import { ItemsModule } from '../items/items.module.js';
import { orderCollection } from './order.collection.js';
import { OrdersController } from './orders.controller.js';
import { OrdersService } from './orders.service.js';
import { transitionCollection } from './transition.collection.js';
import { TransitionsController } from './transitions.controller.js';
import { TransitionsService } from './transitions.service.js';

/** Users' orders and what becomes of them. SPEC §2, decisions §3 */
@Module({
  imports: [
    OwnersModule,
    ItemsModule,
    CollectionsModule.of(orderCollection),
    CollectionsModule.of(transitionCollection),
  ],
  controllers: [OrdersController, TransitionsController],
  providers: [OrdersService, TransitionsService],
})
export class OrdersModule {}
