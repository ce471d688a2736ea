import { NotOwnerError } from '@items/conventions';
import { TransitionInputDto } from '@items/dtos';
import type { Transition } from '@items/dtos/contract';
import { Caller, type CollectionOf, InjectCollection, JsonBody, type Owner, OwnerOrAdmin } from '@items/service';
import { PathOwner, type Principal, RequireScope } from '@items/service';
import { AdminOnly, ALL_PARENTS, Exchange, HttpExchange, idFilter } from '@items/service/collections';
import { Owners, type Tagged } from '@items/service/collections';
import { anyPageSchema, DescribesCollection, listContent, Operation, resourceSchema } from '@items/service/openapi';
import type { Transaction } from '@items/service/store';
import { Controller, Get, Param, Post } from '@nestjs/common';
import { RouteSchema } from '@nestjs/platform-fastify';

import { orders } from './order.collection.js';
import { illegalTransition, requireStaff, requireTransition, StaffOnlyError } from './require-transition.js';
import { transitions } from './transition.collection.js';

type Orders = CollectionOf<typeof orders>;
type Transitions = CollectionOf<typeof transitions>;

const ORDER = resourceSchema(orders.dto);
const allOrders = { ...orders, filters: { user_id: idFilter, ...orders.filters } };

/** Lists all orders. Single orders are served at `/users/{user_id}/orders/{id}`. SPEC §3 */
@Controller('orders')
export class AllOrdersController {
  constructor(@InjectCollection(orders) private readonly orders: Orders) {}

  @Get()
  @RequireScope('orders:read')
  @AdminOnly()
  @Operation({
    tag: 'Orders',
    id: 'listAllOrders',
    summary: 'List all orders',
    description: 'For administrators. Each order is found, and changed, at `/users/{user_id}/orders/{id}`.',
    ending: 'list',
    list: allOrders,
    errors: [new NotOwnerError()],
    ...listContent('orders', 'Order', ORDER, orders.maxPageSize),
  })
  @RouteSchema({ response: { 200: anyPageSchema('orders', ORDER) } })
  async list(@Exchange('with query') exchange: HttpExchange): Promise<object> {
    return exchange.list(this.orders.list(exchange.listRequest(allOrders), exchange.path, ALL_PARENTS));
  }
}

/** Transitions cannot be changed or deleted. SPEC §3 */
@Controller('users/:user_id/orders/:order_id/transitions')
@OwnerOrAdmin('user_id')
@DescribesCollection(transitions, {
  writeErrors: [
    new StaffOnlyError('shipped'),
    illegalTransition('pending', 'delivered'),
    illegalTransition('delivered', 'cancelled'),
  ],
})
export class TransitionsController {
  constructor(
    @InjectCollection(transitions) private readonly transitions: Transitions,
    @InjectCollection(orders) private readonly orders: Orders,
    private readonly owners: Owners,
  ) {}

  @Get()
  @RequireScope('orders:read')
  async list(
    @Exchange('with query') exchange: HttpExchange,
    @PathOwner() owner: Owner,
    @Param('order_id') orderId: string,
  ): Promise<object> {
    const request = exchange.listRequest(transitions);
    return exchange.list(this.transitions.list(request, exchange.path, await this.keysOf(owner, orderId)));
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
    const { to } = input;
    const { path, source: origin } = exchange;
    const repeatable = exchange.repeatable(input);
    requireStaff(caller, to);
    const keys = await this.keysOf(owner, orderId);
    const work = async (tx: Transaction): Promise<Tagged<Transition>> => {
      const { status: from } = await orders.get(tx, orderId);
      requireTransition(from, to);
      await orders.update(tx, orderId, { status: to }, { kind: to });
      return this.transitions.insert(tx, { ...keys, from, to });
    };
    return exchange.created(await this.transitions.createOnce(work, { path, repeatable, origin }));
  }

  @Get(':id')
  @RequireScope('orders:read')
  async get(
    @Exchange() exchange: HttpExchange,
    @PathOwner() owner: Owner,
    @Param('order_id') orderId: string,
    @Param('id') id: string,
  ): Promise<Transition | undefined> {
    return exchange.tagged(this.transitions.get(id, await this.keysOf(owner, orderId)));
  }

  private async keysOf(owner: Owner, orderId: string): Promise<{ order_id: string }> {
    await this.orders.get(orderId, await this.owners.existingOrDeleted(owner, this.orders));
    return { order_id: orderId };
  }
}
