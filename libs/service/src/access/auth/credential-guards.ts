import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { HttpsRequiredError, PasswordLoginOffError } from '../errors/access-errors.js';
import { CONFIG, type Config } from '../../runtime/config/config.js';

/**
 * Refuses plain HTTP before the body is read, if HTTPS is required. For routes with a credential in the body. SPEC §5
 */
@Injectable()
export class HttpsGuard implements CanActivate {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'requireHttps'>) {}

  canActivate(context: ExecutionContext): true {
    const { protocol } = context.switchToHttp().getRequest<FastifyRequest>();
    if (this.config.requireHttps && protocol !== 'https') throw new HttpsRequiredError();
    return true;
  }
}

@Injectable()
export class PasswordLoginGuard implements CanActivate {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'passwordLogin'>) {}

  canActivate(): true {
    if (!this.config.passwordLogin) throw new PasswordLoginOffError();
    return true;
  }
}
