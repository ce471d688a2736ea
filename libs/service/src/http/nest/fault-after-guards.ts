import type { ApiError } from '@items/conventions';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Fault that is thrown when the guards of the route have run. */
    faultAfterGuards: ApiError | null;
  }
  interface FastifyContextConfig {
    /** Whether the route may have guards. It then calls {@link throwFaultAfterGuards}. */
    mayHaveGuards?: boolean;
  }
}

/**
 * Defers a fault, because a 403 of a guard takes precedence over it. SPEC §1.3
 * @throws the fault if the route has no guards.
 */
export function refuseAfterGuards(request: FastifyRequest, fault: ApiError): void {
  if (request.routeOptions.config.mayHaveGuards !== true) throw fault;
  request.faultAfterGuards = fault;
}

export function throwFaultAfterGuards(request: FastifyRequest): void {
  const { faultAfterGuards } = request;
  if (faultAfterGuards === null) return;
  request.faultAfterGuards = null;
  throw faultAfterGuards;
}
