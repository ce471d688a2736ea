import { MalformedRequestError, MAX_CREDENTIAL_BODY_BYTES, RouteNotFoundError } from '@items/conventions';
import { SetupDto } from '@items/dtos';
import type { User } from '@items/dtos/contract';
import { type CanActivate, type ExecutionContext, Header, Inject, Injectable, Post, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CONFIG, type Config } from '../../runtime/config/config.js';
import { PlainController } from '../../http/nest/plain-controller.decorator.js';
import { JsonBody } from '../../http/nest/json-body.js';
import { HttpsGuard } from '../auth/credential-guards.js';
import { Public } from '../auth/decorators.js';
import { Exchange, HttpExchange } from '../exchange/http-exchange.js';
import { SetupService } from './setup.service.js';

@Injectable()
class SetupGuard implements CanActivate {
  private readonly origin: string;

  constructor(
    private readonly setup: SetupService,
    @Inject(CONFIG) { baseUrl }: Pick<Config, 'baseUrl'>,
  ) {
    this.origin = new URL(baseUrl).origin;
  }

  canActivate(context: ExecutionContext): true {
    if (!this.setup.isOffered) throw new RouteNotFoundError();
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>().raw;
    const { origin = this.origin, 'sec-fetch-site': site = 'same-origin' } = headers;
    if (origin !== this.origin || site !== 'same-origin') {
      throw new MalformedRequestError('This request was sent by another site.');
    }
    return true;
  }
}

/** Only the console uses this route. It is not in the OpenAPI document. */
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
