import type { Transition } from '@items/dtos/contract';
import { TransitionInputDto } from '@items/dtos';
import { JsonBody } from '@items/service';
import { DescribesCollection } from '@items/service/openapi';
import { Controller, Get, Param, Post } from '@nestjs/common';

import { Exchange, HttpExchange } from '@items/service/collections';
import { Caller } from '@items/service/collections';
import { OwnerOrAdmin, PathOwner } from '@items/service/collections';
import { Owner } from '@items/service/collections';
import type { Principal } from '@items/service/collections';
import { RequireScope } from '@items/service/collections';
import { transitionCollection } from './transition.collection.js';
import { transitionDescription } from './transition.openapi.js';
import { TransitionsService } from './transitions.service.js';

/** The history of an order. Transitions cannot be changed or deleted. SPEC §3 */
@Controller('users/:user_id/orders/:order_id/transitions')
@OwnerOrAdmin('user_id')
@DescribesCollection(transitionCollection, transitionDescription)
export class TransitionsController {
  constructor(private readonly transitions: TransitionsService) {}

  @Get()
  @RequireScope('orders:read')
  async list(
    @Exchange('with query') exchange: HttpExchange,
    @PathOwner() owner: Owner,
    @Param('order_id') orderId: string,
  ): Promise<object> {
    const request = exchange.listRequest(transitionCollection);
    return exchange.list(await this.transitions.list({ owner, orderId }, request, exchange.path));
  }

  @Post()
  @RequireScope('orders:write')
  async create(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @PathOwner() owner: Owner,
    @Param('order_id') orderId: string,
    @JsonBody(TransitionInputDto) input: TransitionInputDto,
  ): Promise<Transition> {
    const { path, source } = exchange;
    const repeatable = exchange.repeatable(input);
    const order = { owner, orderId };
    return exchange.created(await this.transitions.make(caller, order, input.to, path, repeatable, source));
  }

  @Get(':id')
  @RequireScope('orders:read')
  async get(
    @Exchange() exchange: HttpExchange,
    @PathOwner() owner: Owner,
    @Param('order_id') orderId: string,
    @Param('id') id: string,
  ): Promise<Transition | undefined> {
    return exchange.tagged(await this.transitions.get({ owner, orderId }, id));
  }
}
