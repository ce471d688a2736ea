import { MAX_CREDENTIAL_BODY_BYTES } from '@items/conventions';
import { SetupDto } from '@items/dtos';
import type { User } from '@items/dtos/contract';
import { Header, Post, UseGuards } from '@nestjs/common';
import { PlainController } from '../../http/nest/plain-controller.js';

import { JsonBody } from '../../http/nest/json-body.js';
import { HttpsGuard } from '../auth/credential-guards.js';
import { Public } from '../auth/decorators.js';
import { Exchange, HttpExchange } from '../exchange/http-exchange.js';
import { SetupGuard } from './setup.guard.js';
import { SetupService } from './setup.service.js';

/** Only the console uses it, so it is not in the OpenAPI document. */
@PlainController('console/setup')
export class SetupController {
  constructor(private readonly setup: SetupService) {}

  @Post()
  @Public()
  @UseGuards(SetupGuard, HttpsGuard)
  @Header('Cache-Control', 'no-store')
  create(
    @Exchange() exchange: HttpExchange,
    @JsonBody(SetupDto, MAX_CREDENTIAL_BODY_BYTES) input: SetupDto,
  ): Promise<User> {
    return this.setup.create(input, exchange.source);
  }
}
