import type { Client, CreatedClient } from '@items/contracts';
import { CreateClientDto, ReplaceClientDto, RotationDto } from '@items/dtos';
import { Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';

import { Caller } from '../../auth/caller.js';
import type { Principal } from '../../auth/principal.js';
import { RequireScope } from '../../auth/require-scope.js';
import { Exchange, HttpExchange } from '../../http/http-exchange.js';
import { JsonBody } from '../../http/json-body.js';
import { DescribesCollection } from '../../openapi/description/describes-collection.js';
import { Operation } from '../../openapi/description/operation.js';
import { clientCollection } from './client.collection.js';
import { clientNotes, rotateClientNotes } from './client.notes.js';
import { ClientsService } from './clients.service.js';

/** SPEC §5 OAuth 2.0 */
@Controller('clients')
@DescribesCollection(clientCollection, clientNotes)
export class ClientsController {
  constructor(private readonly clients: ClientsService) {}

  @Get()
  @RequireScope('clients:manage')
  async list(@Exchange('with query') exchange: HttpExchange): Promise<object> {
    return exchange.list(await this.clients.clients.list(exchange.listRequest(clientCollection), exchange.path));
  }

  @Post()
  @RequireScope('clients:manage')
  async create(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @JsonBody(CreateClientDto) input: CreateClientDto,
  ): Promise<CreatedClient> {
    const { path, source } = exchange;
    return exchange.created(await this.clients.create(caller, input, path, exchange.repeatable(input), source));
  }

  @Get(':id')
  @RequireScope('clients:manage')
  async get(@Exchange() exchange: HttpExchange, @Param('id') id: string): Promise<Client | undefined> {
    return exchange.tagged(await this.clients.clients.get(id));
  }

  @Put(':id')
  @RequireScope('clients:manage')
  async replace(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @Param('id') id: string,
    @JsonBody(ReplaceClientDto) input: ReplaceClientDto,
  ): Promise<Client> {
    return exchange.replaced(await this.clients.replace(caller, id, input, exchange.precondition, exchange.source));
  }

  @Delete(':id')
  @RequireScope('clients:manage')
  async remove(@Exchange() exchange: HttpExchange, @Param('id') id: string): Promise<void> {
    await this.clients.remove(id, exchange.precondition, exchange.source);
    exchange.deleted();
  }

  @Post(':id/rotations')
  @RequireScope('clients:manage')
  @Operation(rotateClientNotes)
  async rotate(
    @Exchange() exchange: HttpExchange,
    @Param('id') id: string,
    @Caller() caller: Principal,
    @JsonBody(RotationDto) input: RotationDto,
  ): Promise<CreatedClient> {
    const repeatable = exchange.repeatable(input);
    const { source } = exchange;
    const graceSeconds = input.grace_seconds;
    return exchange.created(await this.clients.rotate(caller, id, graceSeconds, '/clients', repeatable, source));
  }
}
