import type { CreatedSession } from '@items/dtos/contract';
import { MAX_CREDENTIAL_BODY_BYTES } from '@items/conventions';
import { CreateSessionDto } from '@items/dtos';
import { JsonBody } from '../../../http/nest/json-body.js';
import { Operation } from '../../../document/description/operation.js';
import { Controller, Delete, Get, Header, HttpCode, Param, Post, UseGuards } from '@nestjs/common';

import { Exchange, HttpExchange } from '../../exchange/http-exchange.js';
import { Caller } from '../../auth/caller.js';
import { EndsAccess } from '../../auth/ends-access.js';
import { FirstParty } from '../../auth/first-party.js';
import { HttpsGuard } from '../../auth/https.guard.js';
import type { Principal } from '../../principal/principal.js';
import { Public } from '../../auth/public.js';
import { sessionCollection } from '../authorizations/session.collection.js';
import { createSessionOperation, listSessionsOperation, removeSessionOperation } from './session.openapi.js';
import { SessionsService } from './sessions.service.js';

/** Logging in, and out again. SPEC §5 Bearer token */
@Controller('sessions')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Post()
  @Public()
  @UseGuards(HttpsGuard)
  @Operation(createSessionOperation)
  @Header('Cache-Control', 'no-store')
  async create(
    @Exchange() exchange: HttpExchange,
    @JsonBody(CreateSessionDto, MAX_CREDENTIAL_BODY_BYTES) input: CreateSessionDto,
  ): Promise<CreatedSession> {
    const repeatableOf = exchange.repeatable.bind(exchange);
    return exchange.created(await this.sessions.create(input, repeatableOf, exchange.source));
  }

  @Get()
  @FirstParty()
  @Operation(listSessionsOperation)
  async list(@Exchange('with query') exchange: HttpExchange, @Caller() caller: Principal): Promise<object> {
    return exchange.list(await this.sessions.list(caller, exchange.listRequest(sessionCollection), exchange.path));
  }

  @Delete(':id')
  @FirstParty()
  @EndsAccess()
  @Operation(removeSessionOperation)
  @HttpCode(204)
  remove(@Exchange() exchange: HttpExchange, @Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.sessions.remove(caller, id, exchange.precondition, exchange.source);
  }
}
