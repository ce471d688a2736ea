import type { CreatedSession } from '@items/dtos/contract';
import { MAX_CREDENTIAL_BODY_BYTES } from '@items/conventions';
import { CreateSessionDto } from '@items/dtos';
import { Header, Post, UseGuards } from '@nestjs/common';

import { Operation } from '../../../document/description/operation.js';
import { JsonBody } from '../../../http/nest/json-body.js';
import { PlainController } from '../../../http/nest/plain-controller.js';
import { HttpsGuard, PasswordLoginGuard } from '../../auth/credential-guards.js';
import { Public } from '../../auth/decorators.js';
import { Exchange, HttpExchange } from '../../exchange/http-exchange.js';
import { createSessionOperation } from './session.openapi.js';
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
