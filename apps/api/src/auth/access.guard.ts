import { type Eventual, andThen } from '@items/conventions';
import { RateLimitedError } from '@items/errors';
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { CONFIG, type Config } from '../config/config.js';
import type { AccessRule } from './access-rule.js';
import { Admission } from './admission.js';
import type { AdmissionResult } from './admission-result.js';
import { requireAccess } from './require-access.js';
import { routeAccess, type RouteAccess } from './route-access.js';

/**
 * The one guard of every route. It judges before the body is read, in the order of SPEC §1.3: what every route
 * refuses, 401 or 429, 403, and the version.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly routes = new Map<unknown, RouteAccess>();

  constructor(
    private readonly admission: Admission,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  canActivate(context: ExecutionContext): Eventual<boolean> {
    const [request, reply] = context.getArgs<[FastifyRequest, FastifyReply]>();
    const { rule, counted } = this.accessOf(context);
    if (counted) return andThen(this.admission.admit(request, reply), (result) => this.judge(rule, request, result));
    const refusal = this.admission.refusalFor(request);
    if (refusal !== null) throw refusal;
    this.requireVersion(request);
    return true;
  }

  private judge(rule: AccessRule, request: FastifyRequest, result: AdmissionResult): true {
    if (result.refusal !== null) throw result.refusal;
    if (result.failure !== null && rule !== 'public') throw result.failure;
    if (result.quota.exceeded) throw new RateLimitedError(result.quota.resetSeconds);
    if (rule !== 'public') requireAccess(rule, request, result);
    this.requireVersion(request);
    return true;
  }

  private requireVersion({ raw }: FastifyRequest): void {
    const refusal = this.config.versions.refusalFor(raw);
    if (refusal !== undefined) throw refusal;
  }

  /** Metadata is read once a handler, not once a request. */
  private accessOf(context: ExecutionContext): RouteAccess {
    const handler = context.getHandler();
    let access = this.routes.get(handler);
    if (access === undefined) {
      access = routeAccess(context.getClass(), handler);
      this.routes.set(handler, access);
    }
    return access;
  }
}
