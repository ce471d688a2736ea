import type { ApiKey, CreatedApiKey } from '@items/dtos/contract';
import { MAX_CREDENTIAL_BODY_BYTES } from '@items/conventions';
import { CreateApiKeyDto, ReplaceApiKeyDto, RotationDto } from '@items/dtos';
import { JsonBody } from '../../http/nest/json-body.js';
import { DescribesCollection } from '../../document/description/describes-collection.js';
import { Controller, Delete, Get, HttpCode, Param, Post, Put, UseGuards } from '@nestjs/common';
import { Exchange, HttpExchange } from '../exchange/http-exchange.js';
import { CallerGuard } from '../auth/caller-guard.js';
import { Caller, EndsAccess, RequireScope } from '../auth/decorators.js';
import type { Principal } from '../principal/principal.js';
import { apiKeyCollection } from './api-key.collection.js';
import { apiKeyDescription } from './api-key.openapi.js';
import { ApiKeysService } from './api-keys.service.js';
import { KeyOwnersService } from './key-owners.service.js';

@Controller('api-keys')
@UseGuards(CallerGuard(KeyOwnersService, (owners, caller, { id }) => owners.requireOwn(caller, id)))
@DescribesCollection(apiKeyCollection, apiKeyDescription)
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
    @JsonBody(CreateApiKeyDto, MAX_CREDENTIAL_BODY_BYTES) input: CreateApiKeyDto,
  ): Promise<CreatedApiKey> {
    return exchange.created(await this.apiKeys.create(caller, input, exchange.repeatable(input), exchange.source));
  }

  @Get(':id')
  @RequireScope('keys:manage')
  async get(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @Param('id') id: string,
  ): Promise<ApiKey | undefined> {
    return exchange.tagged(await this.apiKeys.get(caller, id));
  }

  @Put(':id')
  @RequireScope('keys:manage')
  async replace(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @Param('id') id: string,
    @JsonBody(ReplaceApiKeyDto, MAX_CREDENTIAL_BODY_BYTES) input: ReplaceApiKeyDto,
  ): Promise<ApiKey> {
    return exchange.replaced(await this.apiKeys.replace(caller, id, input, exchange.precondition, exchange.source));
  }

  @Delete(':id')
  @RequireScope('keys:manage')
  @EndsAccess()
  @HttpCode(204)
  remove(@Exchange() exchange: HttpExchange, @Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.apiKeys.remove(caller, id, exchange.precondition, exchange.source);
  }

  @Post(':id/rotations')
  @RequireScope('keys:manage')
  async rotate(
    @Exchange() exchange: HttpExchange,
    @Param('id') id: string,
    @Caller() caller: Principal,
    @JsonBody(RotationDto, MAX_CREDENTIAL_BODY_BYTES) input: RotationDto,
  ): Promise<CreatedApiKey> {
    return exchange.created(await this.apiKeys.rotate(caller, id, input, exchange.repeatable(input), exchange.source));
  }
}
