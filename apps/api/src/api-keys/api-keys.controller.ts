import type { ApiKey, CreatedApiKey } from '@items/contracts';
import { CreateApiKeyDto, ReplaceApiKeyDto, RotationDto } from '@items/dtos';
import { NotOwnerError, ResourceNotFoundError, ScopeEscalationError } from '@items/errors';
import { Controller, Delete, Get, Param, Post, Put, UseGuards } from '@nestjs/common';

import { Caller } from '../auth/caller.js';
import type { Principal } from '../auth/principal.js';
import { RequireScope } from '../auth/require-scope.js';
import { Exchange, HttpExchange } from '../http/http-exchange.js';
import { JsonBody } from '../http/json-body.js';
import { DescribesCollection } from '../openapi/description/describes-collection.js';
import { exampleOf } from '../openapi/description/example.js';
import { json, schemaRef } from '../openapi/description/media-types.js';
import { Operation } from '../openapi/description/operation.js';
import { apiKeyCollection } from './api-key.collection.js';
import { apiKeyNotes, createdApiKey } from './api-key.notes.js';
import { ApiKeysService } from './api-keys.service.js';
import { OwnKeyGuard } from './own-key.guard.js';

/** SPEC §5, decisions on API keys */
@Controller('api-keys')
@UseGuards(OwnKeyGuard)
@DescribesCollection(apiKeyCollection, apiKeyNotes)
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  @Get()
  @RequireScope('keys:manage')
  async list(@Exchange('with query') exchange: HttpExchange, @Caller() caller: Principal): Promise<object> {
    return exchange.list(await this.apiKeys.list(caller, exchange.listRequest(apiKeyCollection), exchange.path));
  }

  @Post()
  @RequireScope('keys:manage')
  async create(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @JsonBody(CreateApiKeyDto) input: CreateApiKeyDto,
  ): Promise<CreatedApiKey> {
    return exchange.created(await this.apiKeys.create(caller, input, exchange.repeatable(input), exchange.source));
  }

  @Get(':id')
  @RequireScope('keys:manage')
  async get(@Exchange() exchange: HttpExchange, @Param('id') id: string): Promise<ApiKey | undefined> {
    return exchange.tagged(await this.apiKeys.keys.get(id));
  }

  @Put(':id')
  @RequireScope('keys:manage')
  async replace(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @Param('id') id: string,
    @JsonBody(ReplaceApiKeyDto) input: ReplaceApiKeyDto,
  ): Promise<ApiKey> {
    return exchange.replaced(await this.apiKeys.replace(caller, id, input, exchange.precondition, exchange.source));
  }

  @Delete(':id')
  @RequireScope('keys:manage')
  async remove(@Exchange() exchange: HttpExchange, @Param('id') id: string): Promise<void> {
    await this.apiKeys.remove(id, exchange.precondition, exchange.source);
    exchange.deleted();
  }

  @Post(':id/rotations')
  @RequireScope('keys:manage')
  @Operation({
    tag: 'API keys',
    id: 'rotateApiKey',
    summary: 'Give an API key a new secret',
    description: 'The former secret works on until its grace ends, at most two at once. The secret is shown only here.',
    ending: 'created',
    secret: true,
    content: json(schemaRef('CreatedApiKey'), exampleOf(createdApiKey)),
    errors: [new ResourceNotFoundError('API key'), new NotOwnerError(), new ScopeEscalationError(['items:write'])],
  })
  async rotate(
    @Exchange() exchange: HttpExchange,
    @Param('id') id: string,
    @Caller() caller: Principal,
    @JsonBody(RotationDto) { grace_seconds: graceSeconds }: RotationDto,
  ): Promise<CreatedApiKey> {
    const repeatable = exchange.repeatable({ graceSeconds });
    return exchange.created(await this.apiKeys.rotate(caller, id, graceSeconds, repeatable, exchange.source));
  }
}
