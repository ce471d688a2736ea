import { Operation } from '../../../document/description/operation.js';
import { Controller, Delete, Get, HttpCode, Param, UseGuards } from '@nestjs/common';

import { Exchange, HttpExchange } from '../../exchange/http-exchange.js';
import { Caller, EndsAccess, FirstParty } from '../../auth/decorators.js';
import type { Principal } from '../../principal/principal.js';
import { sessionCollection } from '../authorizations/session.collection.js';
import { OwnSessionGuard } from './own-session.guard.js';
import { listSessionsOperation, removeSessionOperation } from './session.openapi.js';
import { SessionsService } from './sessions.service.js';

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
  @UseGuards(OwnSessionGuard)
  @HttpCode(204)
  remove(@Exchange() exchange: HttpExchange, @Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.sessions.remove(caller, id, exchange.precondition, exchange.source);
  }
}
