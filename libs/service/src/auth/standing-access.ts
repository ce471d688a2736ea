import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { CONFIG, type Config } from '../config/config.js';
import type { Principal } from '../principal/principal.js';
import type { AccessRule } from './access-rule.js';
import { Admission } from './admission.js';
import { requireAccess } from './require-access.js';

/** Judges again who made a request that has waited: the credential may have ended meanwhile, or may do less. */
@Injectable()
export class StandingAccess {
  constructor(
    private readonly admission: Admission,
    @Inject(CONFIG) private readonly config: Pick<Config, 'baseUrl'>,
  ) {}

  /**
   * @returns who it is, now.
   * @throws {UnauthorizedError} 401 @throws {InsufficientScopeError} 403
   */
  async require(request: FastifyRequest, rule: Exclude<AccessRule, 'public'>): Promise<Principal> {
    const { presented, principal, failure } = await this.admission.identifyAgain(request);
    if (failure !== null) throw failure;
    return requireAccess(rule, request, { presented, principal }, this.config);
  }
}
