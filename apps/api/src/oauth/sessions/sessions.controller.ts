import type { CreatedSession } from '@items/contracts';
import { CreateSessionDto } from '@items/dtos';
import { Controller, Delete, Get, Header, Param, Post, UseGuards } from '@nestjs/common';

import { Caller } from '../../auth/caller.js';
import { FirstParty } from '../../auth/first-party.js';
import { HttpsGuard } from '../../auth/https.guard.js';
import type { Principal } from '../../auth/principal.js';
import { Public } from '../../auth/public.js';
import { Exchange, HttpExchange } from '../../http/http-exchange.js';
import { JsonBody } from '../../http/json-body.js';
import { Operation } from '../../openapi/description/operation.js';
import { sessionCollection } from './session.collection.js';
import { createSessionNotes, listSessionsNotes, removeSessionNotes } from './session.notes.js';
import { SessionsService } from './sessions.service.js';

/** Logging in, and out again. SPEC §5 Bearer token */
@Controller('sessions')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Post()
  @Public()
  @UseGuards(HttpsGuard)
  @Operation(createSessionNotes)
  @Header('Cache-Control', 'no-store')
  async create(
    @Exchange() exchange: HttpExchange,
    @JsonBody(CreateSessionDto) { username, password, scope }: CreateSessionDto,
  ): Promise<CreatedSession> {
    const login = { username, password, scope, source: exchange.source };
    const account = await this.sessions.authenticate(login);
    // The password is no part of what a repetition is told by: not even its digest is kept.
    const repeatable = exchange.repeatable({ username, scope }, account.id);
    return exchange.created(await this.sessions.create(account, login, exchange.path, repeatable));
  }

  @Get()
  @FirstParty()
  @Operation(listSessionsNotes)
  async list(@Exchange('with query') exchange: HttpExchange, @Caller() caller: Principal): Promise<object> {
    return exchange.list(await this.sessions.list(caller, exchange.listRequest(sessionCollection), exchange.path));
  }

  @Delete(':id')
  @FirstParty()
  @Operation(removeSessionNotes)
  async remove(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @Param('id') id: string,
  ): Promise<undefined> {
    await this.sessions.remove(caller, id, exchange.precondition, exchange.source);
    return exchange.deleted();
  }
}
