import type { Transition } from '@items/contracts';
import { TransitionInputDto } from '@items/dtos';
import { Controller, Get, Param, Post } from '@nestjs/common';

import { Caller } from '../auth/caller.js';
import { OwnUser } from '../auth/own-user.js';
import { Owners } from '../auth/owners.js';
import type { Principal } from '../auth/principal.js';
import { RequireScope } from '../auth/require-scope.js';
import type { Within } from '../collections/within.js';
import { Exchange, HttpExchange } from '../http/http-exchange.js';
import { JsonBody } from '../http/json-body.js';
import { DescribesCollection } from '../openapi/description/describes-collection.js';
import { OrdersService } from './orders.service.js';
import { transitionCollection } from './transition.collection.js';
import { transitionNotes } from './transition.notes.js';
import { TransitionsService } from './transitions.service.js';

/** What has happened to an order stays as it is. decisions §3 */
@Controller('users/:user_id/orders/:order_id/transitions')
@OwnUser('user_id')
@DescribesCollection(transitionCollection, transitionNotes)
export class TransitionsController {
  constructor(
    private readonly owners: Owners,
    private readonly orders: OrdersService,
    private readonly transitions: TransitionsService,
  ) {}

  @Get()
  @RequireScope('orders:read')
  async list(
    @Exchange('with query') exchange: HttpExchange,
    @Caller() caller: Principal,
    @Param('user_id') userId: string,
    @Param('order_id') orderId: string,
  ): Promise<object> {
    const request = exchange.listRequest(transitionCollection);
    const within = await this.within(caller, userId, orderId);
    return exchange.list(await this.transitions.transitions.list(request, exchange.path, within));
  }

  @Post()
  @RequireScope('orders:write')
  async create(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @Param('user_id') userId: string,
    @Param('order_id') orderId: string,
    @JsonBody(TransitionInputDto) input: TransitionInputDto,
  ): Promise<Transition> {
    const repeatable = exchange.repeatable(input);
    const owned = await this.owners.kept(caller, userId, this.orders.orders);
    return exchange.created(await this.transitions.make(input.to, orderId, exchange.path, repeatable, owned));
  }

  @Get(':id')
  @RequireScope('orders:read')
  async get(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @Param('user_id') userId: string,
    @Param('order_id') orderId: string,
    @Param('id') id: string,
  ): Promise<Transition | undefined> {
    return exchange.tagged(await this.transitions.transitions.get(id, await this.within(caller, userId, orderId)));
  }

  private async within(caller: Principal, userId: string, orderId: string): Promise<Within> {
    return this.transitions.of(orderId, await this.owners.kept(caller, userId, this.orders.orders));
  }
}
