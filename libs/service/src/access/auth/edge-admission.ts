import { type ApiError, RouteNotFoundError } from '@items/conventions';
import type { MoreOrigins } from '../../http/request/cors.js';
import { throwFaultAfterGuards } from '../../http/nest/fault-after-guards.js';
import type { EdgeHooks } from '../../http/edge/request-hooks.js';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { UNCOUNTED_PREFIXES } from '../exchange/path-prefixes.js';
import { AccessHook } from './access.hook.js';
import { AccessTable } from './access-table.js';
import { PageOrigins } from './api-key/page-origins.js';
import type { RouteAccess } from './route-access.js';

const UNROUTED: RouteAccess = { rule: 'public', counted: 'by-hook' };

@Injectable()
export class EdgeAdmission implements EdgeHooks {
  constructor(
    private readonly access: AccessHook,
    private readonly origins: PageOrigins,
    private readonly table: AccessTable,
  ) {}

  /** Counts a request without a route. Some paths have no quota. SPEC §8.1 */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const url = request.raw.url ?? '/';
    if (!UNCOUNTED_PREFIXES.some((prefix) => url.startsWith(prefix))) await this.access.check(request, reply, UNROUTED);
  }

  refusalFor(request: FastifyRequest): ApiError | null {
    return this.access.refusalFor(request);
  }

  /** Admits only WebSocket handshakes with an entry in the option `access`. Others get 404. */
  async admitUpgrade(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const [path = ''] = (request.raw.url ?? '').split('?', 1);
    const rule = this.table.ruleOf('UPGRADE', path);
    if (rule === undefined) throw new RouteNotFoundError();
    await this.access.check(request, reply, { rule, counted: 'by-hook' });
    // Throws the version error that `check()` defers until after the guards of the controller. A handshake has no
    // controller.
    throwFaultAfterGuards(request);
  }

  moreOrigins(): Promise<MoreOrigins> {
    return this.origins.all();
  }
}
