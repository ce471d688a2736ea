import { ConventionsModule } from '@items/service/collections';
import { Module } from '@nestjs/common';

import { OwnersModule } from '@items/service/collections';
import { ItemsModule } from '../items/items.module.js';
import { CreateOrders1763000000030 } from '../migrations/1763000000030-create-orders.js';
import { IndexAllOrders1763000000040 } from '../migrations/1763000000040-index-all-orders.js';
import { CountOrdersByStatus1763000000041 } from '../migrations/1763000000041-count-orders-by-status.js';
import { AllOrdersController } from './all-orders.controller.js';
import { orderCollection } from './order.collection.js';
import { OrdersController } from './orders.controller.js';
import { OrdersService } from './orders.service.js';
import { transferableOrders } from './transferable-orders.js';
import { transitionCollection } from './transition.collection.js';
import { TransitionsController } from './transitions.controller.js';
import { TransitionsService } from './transitions.service.js';

/** Serves orders of users and their transitions. SPEC §2, §3 */
@Module({
  imports: [
    OwnersModule,
    ItemsModule,
    ConventionsModule.forFeature(orderCollection),
    ConventionsModule.forFeature(transitionCollection),
  ],
  controllers: [AllOrdersController, OrdersController, TransitionsController],
  providers: [OrdersService, TransitionsService],
})
export class OrdersModule {
  static readonly collection = orderCollection;
  static readonly others = [transitionCollection];
  static readonly transfer = transferableOrders;
  static readonly migrations = [
    CreateOrders1763000000030,
    IndexAllOrders1763000000040,
    CountOrdersByStatus1763000000041,
  ];
}
