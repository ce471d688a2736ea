import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { principalOf } from '../../principal/request-principal.js';
import { SessionsService } from './sessions.service.js';

/** Users may end their own sessions, and administrators all sessions. SPEC §1.3, §5.2 */
@Injectable()
export class OwnSessionGuard implements CanActivate {
  constructor(private readonly sessions: SessionsService) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const request = context.switchToHttp().getRequest<FastifyRequest<{ Params: { readonly id: string } }>>();
    await this.sessions.requireOwn(principalOf(request), request.params.id);
    return true;
  }
}
