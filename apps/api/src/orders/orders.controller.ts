import type { Order } from '@items/contracts';
import { OrderInputDto } from '@items/dtos';
import { Controller, Get, Param, Post } from '@nestjs/common';

import { Caller } from '../auth/caller.js';
import { OwnUser } from '../auth/own-user.js';
import { Owners } from '../auth/owners.js';
import type { Principal } from '../auth/principal.js';
import { RequireScope } from '../auth/require-scope.js';
import { Exchange, HttpExchange } from '../http/http-exchange.js';
import { JsonBody } from '../http/json-body.js';
import { DescribesCollection } from '../openapi/description/describes-collection.js';
import { orderCollection } from './order.collection.js';
import { orderNotes } from './order.notes.js';
import { OrdersService } from './orders.service.js';

/** An order is changed by its transitions, and never deleted. SPEC §2 rule 2, decisions §3 */
@Controller('users/:user_id/orders')
@OwnUser('user_id')
@DescribesCollection(orderCollection, orderNotes)
export class OrdersController {
  constructor(
    private readonly owners: Owners,
    private readonly orders: OrdersService,
  ) {}

  @Get()
  @RequireScope('orders:read')
  async list(
    @Exchange('with query') exchange: HttpExchange,
    @Caller() caller: Principal,
    @Param('user_id') userId: string,
  ): Promise<object> {
    const request = exchange.listRequest(orderCollection);
    const within = await this.owners.kept(caller, userId, this.orders.orders);
    return exchange.list(await this.orders.orders.list(request, exchange.path, within));
  }

  @Post()
  @RequireScope('orders:write')
  async create(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @Param('user_id') userId: string,
    @JsonBody(OrderInputDto) input: OrderInputDto,
  ): Promise<Order> {
    const within = await this.owners.owned(caller, userId);
    return exchange.created(await this.orders.place(input, exchange.path, exchange.repeatable(input), within));
  }

  @Get(':id')
  @RequireScope('orders:read')
  async get(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @Param('user_id') userId: string,
    @Param('id') id: string,
  ): Promise<Order | undefined> {
    const within = await this.owners.kept(caller, userId, this.orders.orders);
    return exchange.tagged(await this.orders.orders.get(id, within));
  }
}
