import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { principalOf } from '../../principal/request-principal.js';
import { GrantsService } from './grants.service.js';

/** Logins with fewer scopes than their users may not withdraw approvals. SPEC §1.3, §5.2 */
@Injectable()
export class WholeLoginGuard implements CanActivate {
  constructor(private readonly grants: GrantsService) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    await this.grants.requireWholeLogin(principalOf(context.switchToHttp().getRequest<FastifyRequest>()));
    return true;
  }
}
