import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { HttpsRequiredError } from '../errors/access-errors.js';
import { CONFIG, type Config } from '../../runtime/config/config.js';

/**
 * Refuses plain HTTP before the body is read, if HTTPS is required. Protects routes with a credential in the body. SPEC
 * §5
 */
@Injectable()
export class HttpsGuard implements CanActivate {
  private readonly requireHttps: boolean;

  constructor(@Inject(CONFIG) config: Pick<Config, 'requireHttps'>) {
    this.requireHttps = config.requireHttps;
  }

  canActivate(context: ExecutionContext): true {
    const { protocol } = context.switchToHttp().getRequest<FastifyRequest>();
    if (this.requireHttps && protocol !== 'https') throw new HttpsRequiredError();
    return true;
  }
}
