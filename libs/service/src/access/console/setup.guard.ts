import { MalformedRequestError, RouteNotFoundError } from '@items/conventions';
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { CONFIG, type Config } from '../../runtime/config/config.js';
import { SetupService } from './setup.service.js';

@Injectable()
export class SetupGuard implements CanActivate {
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
