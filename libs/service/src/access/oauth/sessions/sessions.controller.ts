import type { CreatedSession } from '@items/dtos/contract';
import { MAX_CREDENTIAL_BODY_BYTES } from '@items/conventions';
import { CreateSessionDto } from '@items/dtos';
import { Controller, Delete, Get, Header, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { Operation } from '../../../document/description/operation.js';
import { JsonBody } from '../../../http/nest/json-body.js';
import { PlainController } from '../../../http/nest/plain-controller.decorator.js';
import { CallerGuard } from '../../auth/caller-guard.js';
import { HttpsGuard, PasswordLoginGuard } from '../../auth/credential-guards.js';
import { Exchange, HttpExchange } from '../../exchange/http-exchange.js';
import { Caller, EndsAccess, FirstParty, Public } from '../../auth/decorators.js';
import type { Principal } from '../../principal/principal.js';
import { sessionCollection } from '../authorizations/session.collection.js';
import { createSessionOperation, listSessionsOperation, removeSessionOperation } from './session.openapi.js';
import { SessionsService } from './sessions.service.js';

@PlainController('sessions')
export class LoginController {
  constructor(private readonly sessions: SessionsService) {}

  @Post()
  @Public()
  @UseGuards(HttpsGuard, PasswordLoginGuard)
  @Operation(createSessionOperation)
  @Header('Cache-Control', 'no-store')
  async create(
    @Exchange() exchange: HttpExchange,
    @JsonBody(CreateSessionDto, MAX_CREDENTIAL_BODY_BYTES) input: CreateSessionDto,
  ): Promise<CreatedSession> {
    const repeatableOf = exchange.repeatable.bind(exchange);
    return exchange.created(await this.sessions.create(input, repeatableOf, exchange.source));
  }
}

@Controller('sessions')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

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
  @UseGuards(CallerGuard(SessionsService, (sessions, caller, { id = '' }) => sessions.requireOwn(caller, id)))
  @HttpCode(204)
  remove(@Exchange() exchange: HttpExchange, @Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.sessions.remove(caller, id, exchange.precondition, exchange.source);
  }
}
