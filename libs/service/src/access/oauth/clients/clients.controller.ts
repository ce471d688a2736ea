import type { Client, CreatedClient } from '@items/dtos/contract';
import { MAX_CREDENTIAL_BODY_BYTES } from '@items/conventions';
import { CreateClientDto, ReplaceClientDto, RotationDto } from '@items/dtos';
import { JsonBody } from '../../../http/nest/json-body.js';
import { DescribesCollection } from '../../../document/description/describes-collection.js';
import { Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { Exchange, HttpExchange } from '../../exchange/http-exchange.js';
import { Caller, RequireScope } from '../../auth/decorators.js';
import type { Principal } from '../../principal/principal.js';
import { clientCollection } from './client.collection.js';
import { clientDescription } from './client.openapi.js';
import { ClientsService } from './clients.service.js';

@Controller('clients')
@DescribesCollection(clientCollection, clientDescription)
export class ClientsController {
  constructor(private readonly clients: ClientsService) {}

  @Get()
  @RequireScope('clients:manage')
  async list(@Exchange('with query') exchange: HttpExchange): Promise<object> {
    return exchange.list(await this.clients.rows.list(exchange.listRequest(clientCollection), exchange.path));
  }

  @Post()
  @RequireScope('clients:manage')
  async create(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @JsonBody(CreateClientDto, MAX_CREDENTIAL_BODY_BYTES) input: CreateClientDto,
  ): Promise<CreatedClient> {
    return exchange.created(await this.clients.create(caller, input, exchange.repeatable(input), exchange.source));
  }

  @Get(':id')
  @RequireScope('clients:manage')
  async get(@Exchange() exchange: HttpExchange, @Param('id') id: string): Promise<Client | undefined> {
    return exchange.tagged(await this.clients.rows.get(id));
  }

  @Put(':id')
  @RequireScope('clients:manage')
  async replace(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @Param('id') id: string,
    @JsonBody(ReplaceClientDto, MAX_CREDENTIAL_BODY_BYTES) input: ReplaceClientDto,
  ): Promise<Client> {
    return exchange.replaced(await this.clients.replace(caller, id, input, exchange.precondition, exchange.source));
  }

  @Delete(':id')
  @RequireScope('clients:manage')
  @HttpCode(204)
  remove(@Exchange() exchange: HttpExchange, @Param('id') id: string): Promise<void> {
    return this.clients.remove(id, exchange.precondition, exchange.source);
  }

  @Post(':id/rotations')
  @RequireScope('clients:manage')
  async rotate(
    @Exchange() exchange: HttpExchange,
    @Param('id') id: string,
    @Caller() caller: Principal,
    @JsonBody(RotationDto, MAX_CREDENTIAL_BODY_BYTES) input: RotationDto,
  ): Promise<CreatedClient> {
    return exchange.created(await this.clients.rotate(caller, id, input, exchange.repeatable(input), exchange.source));
  }
}
