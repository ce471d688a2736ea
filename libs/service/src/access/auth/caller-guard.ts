import { type CanActivate, type ExecutionContext, Inject, mixin, type Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import type { Principal } from '../principal/principal.js';
import { principalOf } from '../principal/request-principal.js';

interface PathParameters {
  readonly id?: string;
}

/**
 * Creates a guard that runs the check before the request body is read.
 * @param check Throws to refuse the caller.
 * @example
 * @Delete(':id')
 * @UseGuards(CallerGuard(SessionsService, (sessions, caller, { id }) => sessions.requireOwn(caller, id)))
 */
export function CallerGuard<Service>(
  service: Type<Service>,
  check: (service: Service, caller: Principal, parameters: PathParameters) => Promise<void> | void,
): Type<CanActivate> {
  class Guard implements CanActivate {
    constructor(@Inject(service) private readonly service: Service) {}

    async canActivate(context: ExecutionContext): Promise<true> {
      const request = context.switchToHttp().getRequest<FastifyRequest<{ Params: PathParameters }>>();
      await check(this.service, principalOf(request), request.params);
      return true;
    }
  }
  return mixin(Guard);
}
