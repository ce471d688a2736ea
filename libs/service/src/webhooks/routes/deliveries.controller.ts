import type { Delivery } from '@items/dtos/contract';
import { DescribesCollection } from '../../document/description/describes-collection.js';
import { Operation } from '../../document/description/operation.js';
import { Controller, Get, Param, Post, UseGuards } from '@nestjs/common';

import { CallerGuard } from '../../access/auth/caller-guard.js';
import { RequireScope } from '../../access/auth/decorators.js';
import { Exchange, HttpExchange } from '../../access/exchange/http-exchange.js';
import { Events, EventsOffError } from '../../feed/events.js';
import { DeliveriesService } from './deliveries.service.js';
import { deliveryCollection } from './delivery.collection.js';
import { attemptOperation } from './webhook.openapi.js';

@Controller('webhooks/:webhook_id/deliveries')
@DescribesCollection(deliveryCollection, { errors: [new EventsOffError()] })
@UseGuards(CallerGuard(Events, (events) => events.requireOn()))
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get()
  @RequireScope('webhooks:manage')
  async list(@Exchange('with query') exchange: HttpExchange, @Param('webhook_id') webhookId: string): Promise<object> {
    const request = exchange.listRequest(deliveryCollection);
    return exchange.list(await this.deliveries.list(webhookId, request, exchange.path));
  }

  @Get(':id')
  @RequireScope('webhooks:manage')
  async get(
    @Exchange() exchange: HttpExchange,
    @Param('webhook_id') webhookId: string,
    @Param('id') id: string,
  ): Promise<Delivery | undefined> {
    return exchange.tagged(await this.deliveries.get(webhookId, id));
  }

  @Post(':id/attempts')
  @RequireScope('webhooks:manage')
  @Operation(attemptOperation)
  async attempt(
    @Exchange() exchange: HttpExchange,
    @Param('webhook_id') webhookId: string,
    @Param('id') id: string,
  ): Promise<Delivery> {
    return exchange.created(await this.deliveries.attempt(webhookId, id, exchange.repeatable({})));
  }
}
