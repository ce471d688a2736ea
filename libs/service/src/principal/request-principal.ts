import type { FastifyRequest } from 'fastify';

import type { Principal } from './principal.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who makes the request; null without a valid credential, and before it was looked for. */
    principal: Principal | null;
  }
}

/** The caller of a route that declares a scope: the guard has seen to it that there is one. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null) throw new Error('Only a route that declares a scope has a caller.');
  return request.principal;
}
