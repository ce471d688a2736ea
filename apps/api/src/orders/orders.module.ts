import { ServiceModule } from '@items/service';
import { Module } from '@nestjs/common';

import { CreateOrders1763000000030 } from '../migrations/1763000000030-create-orders.js';
import { IndexAllOrders1763000000040 } from '../migrations/1763000000040-index-all-orders.js';
import { CountOrdersByStatus1763000000041 } from '../migrations/1763000000041-count-orders-by-status.js';
import { orders } from './order.collection.js';
import { orderImport } from './order-import.js';
import { AllOrdersController, TransitionsController } from './orders.controller.js';
import { transitions } from './transition.collection.js';

const migrations = [CreateOrders1763000000030, IndexAllOrders1763000000040, CountOrdersByStatus1763000000041];

@Module({
  imports: [ServiceModule.forFeature(orders, { migrations, others: [transitions], importRules: orderImport })],
  controllers: [AllOrdersController, TransitionsController],
})
export class OrdersModule {}
