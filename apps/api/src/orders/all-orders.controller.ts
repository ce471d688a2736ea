import { Operation } from '@items/service/openapi';
import { Controller, Get } from '@nestjs/common';
import { RouteSchema } from '@nestjs/platform-fastify';

import { Exchange, HttpExchange } from '@items/service/collections';
import { AdminOnly } from '@items/service/collections';
import { RequireScope } from '@items/service/collections';
import { allOrdersOperation, ALL_ORDERS_PAGE } from './all-orders.openapi.js';
import { allOrderRules } from './order.collection.js';
import { OrdersService } from './orders.service.js';

/** Lists all orders. Single orders are read and changed below their user only. SPEC §3 */
@Controller('orders')
export class AllOrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get()
  @RequireScope('orders:read')
  @AdminOnly()
  @Operation(allOrdersOperation)
  @RouteSchema({ response: { 200: ALL_ORDERS_PAGE } })
  async list(@Exchange('with query') exchange: HttpExchange): Promise<object> {
    return exchange.list(await this.orders.listAll(exchange.listRequest(allOrderRules), exchange.path));
  }
}
