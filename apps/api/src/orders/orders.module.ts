import { ServiceModule } from '@items/service';
import { Module } from '@nestjs/common';

import { orders } from './order.collection.js';
import { orderImport } from './order-import.js';
import { AllOrdersController, TransitionsController } from './orders.controller.js';
import { OrdersBaseline } from './orders-baseline.js';
import { transitions } from './transition.collection.js';

@Module({
  imports: [
    ServiceModule.forFeature(orders, { migrations: [OrdersBaseline], others: [transitions], importRules: orderImport }),
  ],
  controllers: [AllOrdersController, TransitionsController],
})
export class OrdersModule {}
