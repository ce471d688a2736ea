import type { Order } from '@items/dtos/contract';
import { OrderInputDto } from '@items/dtos';
import { JsonBody } from '@items/service';
import { DescribesCollection } from '@items/service/openapi';
import { Controller, Get, Param, Post } from '@nestjs/common';

import { Exchange, HttpExchange } from '@items/service/collections';
import { OwnerOrAdmin, PathOwner } from '@items/service/collections';
import { Owner } from '@items/service/collections';
import { RequireScope } from '@items/service/collections';
import { orderCollection } from './order.collection.js';
import { orderDescription } from './order.openapi.js';
import { OrdersService } from './orders.service.js';

/** Orders change only by transitions, and are never deleted. SPEC §2 rule 2, §3 */
@Controller('users/:user_id/orders')
@OwnerOrAdmin('user_id')
@DescribesCollection(orderCollection, orderDescription)
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get()
  @RequireScope('orders:read')
  async list(@Exchange('with query') exchange: HttpExchange, @PathOwner() owner: Owner): Promise<object> {
    return exchange.list(await this.orders.list(owner, exchange.listRequest(orderCollection), exchange.path));
  }

  @Post()
  @RequireScope('orders:write')
  async create(
    @Exchange() exchange: HttpExchange,
    @PathOwner() owner: Owner,
    @JsonBody(OrderInputDto) input: OrderInputDto,
  ): Promise<Order> {
    const { path, source } = exchange;
    return exchange.created(await this.orders.place(owner, input, path, exchange.repeatable(input), source));
  }

  @Get(':id')
  @RequireScope('orders:read')
  async get(
    @Exchange() exchange: HttpExchange,
    @PathOwner() owner: Owner,
    @Param('id') id: string,
  ): Promise<Order | undefined> {
    return exchange.tagged(await this.orders.get(owner, id));
  }
}
