import type { CreatedWebhook, Delivery, Replay, Webhook } from '@items/dtos/contract';
import { CreateWebhookDto, ReplaceWebhookDto, ReplayDto, RotationDto } from '@items/dtos';
import { JsonBody } from '../../http/nest/json-body.js';
import { DescribesCollection } from '../../document/description/describes-collection.js';
import { Operation } from '../../document/description/operation.js';
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Put, UseGuards } from '@nestjs/common';

import { CallerGuard } from '../../access/auth/caller-guard.js';
import { Caller, RequireScope } from '../../access/auth/decorators.js';
import { CONFIG, type Config } from '../../runtime/config/config.js';
import { Exchange, HttpExchange } from '../../access/exchange/http-exchange.js';
import type { Principal } from '../../access/principal/principal.js';
import { Events } from '../../feed/events.js';
import { DeliveriesService } from './deliveries.service.js';
import { webhookCollection } from './webhook.collection.js';
import { pingOperation, replayOperation, webhookDescription } from './webhook.openapi.js';
import { WebhooksService } from './webhooks.service.js';

@Controller('webhooks')
@DescribesCollection(webhookCollection, webhookDescription)
@UseGuards(CallerGuard(Events, (events) => events.requireOn()))
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    @Inject(CONFIG) private readonly config: Pick<Config, 'versions'>,
  ) {}

  @Get()
  @RequireScope('webhooks:manage')
  async list(@Exchange('with query') exchange: HttpExchange): Promise<object> {
    return exchange.list(await this.webhooks.list(exchange.listRequest(webhookCollection), exchange.path));
  }

  @Post()
  @RequireScope('webhooks:manage')
  async create(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @JsonBody(CreateWebhookDto) input: CreateWebhookDto,
  ): Promise<CreatedWebhook> {
    const { source } = exchange;
    const apiVersion = this.config.versions.responseVersionFor(exchange.message);
    return exchange.created(await this.webhooks.create(caller, input, apiVersion, exchange.repeatable(input), source));
  }

  @Get(':id')
  @RequireScope('webhooks:manage')
  async get(@Exchange() exchange: HttpExchange, @Param('id') id: string): Promise<Webhook | undefined> {
    return exchange.tagged(await this.webhooks.get(id));
  }

  @Put(':id')
  @RequireScope('webhooks:manage')
  async replace(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @Param('id') id: string,
    @JsonBody(ReplaceWebhookDto) input: ReplaceWebhookDto,
  ): Promise<Webhook> {
    return exchange.replaced(await this.webhooks.replace(caller, id, input, exchange.precondition, exchange.source));
  }

  @Delete(':id')
  @RequireScope('webhooks:manage')
  @HttpCode(204)
  remove(@Exchange() exchange: HttpExchange, @Param('id') id: string): Promise<void> {
    return this.webhooks.remove(id, exchange.precondition, exchange.source);
  }

  @Post(':id/rotations')
  @RequireScope('webhooks:manage')
  async rotate(
    @Exchange() exchange: HttpExchange,
    @Param('id') id: string,
    @JsonBody(RotationDto) input: RotationDto,
  ): Promise<CreatedWebhook> {
    return exchange.created(await this.webhooks.rotate(id, input, exchange.repeatable(input), exchange.source));
  }

  @Post(':id/pings')
  @RequireScope('webhooks:manage')
  @Operation(pingOperation)
  async ping(@Exchange() exchange: HttpExchange, @Param('id') id: string): Promise<Delivery> {
    return exchange.created(await this.deliveries.ping(id, exchange.repeatable({})));
  }

  @Post(':id/replays')
  @RequireScope('webhooks:manage')
  @Operation(replayOperation)
  async replay(
    @Exchange() exchange: HttpExchange,
    @Param('id') id: string,
    @JsonBody(ReplayDto) input: ReplayDto,
  ): Promise<Replay> {
    return exchange.created(await this.deliveries.replay(id, input, exchange.repeatable(input), exchange.source));
  }
}
