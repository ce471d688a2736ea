import { createParamDecorator } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { principalOf } from '../principal/request-principal.js';

/**
 * Passes the `Principal` of a route with `@RequireScope()`.
 * @example create(@Caller() caller: Principal) {}
 */
export const Caller = createParamDecorator((_data: unknown, context) =>
  principalOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
