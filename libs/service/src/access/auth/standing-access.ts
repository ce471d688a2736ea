import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import type { Principal } from '../principal/principal.js';
import { requireAccess, Credentials } from './access.hook.js';
import type { AccessRule } from './access-rule.js';
import { AuthStrategies } from './strategies/auth-strategies.js';

/** While a request waits, its credential may end or lose scopes. */
@Injectable()
export class StandingAccess {
  constructor(
    private readonly credentials: Credentials,
    private readonly strategies: AuthStrategies,
  ) {}

  async require(request: FastifyRequest, rule: Exclude<AccessRule, 'public'>): Promise<Principal> {
    const presented = this.strategies.presentedBy(request);
    const { principal, failure } = await this.credentials.identify(request, presented);
    if (failure !== undefined) throw failure;
    request.principal = principal;
    return requireAccess(rule, request, presented, principal, this.strategies);
  }
}
