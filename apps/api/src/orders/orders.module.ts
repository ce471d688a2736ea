import { ConventionsModule } from '@items/nest';
import { Module } from '@nestjs/common';

import { OwnersModule } from '../auth/owners.module.js';
import { ItemsModule } from '../items/items.module.js';
import { AllOrdersController } from './all-orders.controller.js';
import { orderCollection } from './order.collection.js';
import { OrdersController } from './orders.controller.js';
import { OrdersService } from './orders.service.js';
import { transitionCollection } from './transition.collection.js';
import { TransitionsController } from './transitions.controller.js';
import { TransitionsService } from './transitions.service.js';

/** Users' orders and what becomes of them. SPEC §2, §3 */
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
export class OrdersModule {}
