import { UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { requireAdmin } from './ownership.js';
import { principalOf } from './request-principal.js';

/** Judges before the body is read, in the order of decisions §1. */
class OwnUserGuard implements CanActivate {
  constructor(private readonly parameter: string | undefined) {}

  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const caller = principalOf(request);
    const id = this.parameter === undefined ? undefined : (request.params as Record<string, string>)[this.parameter];
    if (id !== 'me' && (id === undefined || id !== caller.userId)) requireAdmin(caller);
    return true;
  }
}

/**
 * Of the user that a parameter of the path names, the route, or every route of the controller, answers only himself and administrators: 403, whether or
 * not there is such a user.
 * @example
 * @Get(':id')
 * @RequireScope('users:read')
 * @OwnUser('id')
 * get() {}
 * @see authentication.md "Scopes and roles"
 */
export function OwnUser(parameter: string): MethodDecorator & ClassDecorator {
  return UseGuards(new OwnUserGuard(parameter));
}

/** The route answers only administrators: 403 for others. authentication.md "Scopes and roles" */
export function AdminOnly(): MethodDecorator {
  return UseGuards(new OwnUserGuard(undefined));
}
