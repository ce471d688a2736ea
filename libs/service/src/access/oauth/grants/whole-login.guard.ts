import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { principalOf } from '../../principal/request-principal.js';
import { Accounts } from '../../accounts/accounts.js';
import { NarrowedLoginError } from '../../errors/access-errors.js';

/** Logins with fewer scopes than their users may not withdraw approvals. SPEC §1.3, §5.2 */
@Injectable()
export class WholeLoginGuard implements CanActivate {
  constructor(private readonly accounts: Accounts) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const caller = principalOf(context.switchToHttp().getRequest<FastifyRequest>());
    if (await this.accounts.isNarrowedLogin(caller)) throw new NarrowedLoginError();
    return true;
  }
}
