import { createParamDecorator, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { principalOf } from '../principal/request-principal.js';
import { Owner, requireAdmin } from './ownership.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose resources the path names, once a guard has let the caller reach them. */
    owner: Owner | null;
  }
}

/** Judges before the body is read, in the order of SPEC §1.3. */
class OwnerGuard implements CanActivate {
  constructor(private readonly parameter: string) {}

  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { [this.parameter]: name = '' } = request.params as Readonly<Record<string, string>>;
    request.owner = Owner.named(name, principalOf(request));
    return true;
  }
}

class AdminGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    requireAdmin(principalOf(context.switchToHttp().getRequest<FastifyRequest>()));
    return true;
  }
}

/**
 * The route, or every route of the controller, answers only the user that a parameter of the path names, and
 * administrators: 403 for others, whether or not there is such a user. `@PathOwner()` hands it to the handler.
 * @example
 * @Get(':id')
 * @RequireScope('users:read')
 * @OwnerOrAdmin('id')
 * get(@PathOwner() { id }: Owner) {}
 * @see SPEC §5.2
 */
export function OwnerOrAdmin(parameter: string): MethodDecorator & ClassDecorator {
  return UseGuards(new OwnerGuard(parameter));
}

/** The route answers only administrators: 403 for others. SPEC §5.2 */
export function AdminOnly(): MethodDecorator {
  return UseGuards(new AdminGuard());
}

/** The {@link Owner} that the path of a route with `@OwnerOrAdmin()` names. */
export const PathOwner = createParamDecorator((_data: unknown, context: ExecutionContext): Owner =>
  ownerOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** The same, of a request. @throws {Error} its route has no `@OwnerOrAdmin()`. */
export function ownerOf({ owner }: FastifyRequest): Owner {
  if (owner === null) throw new Error('Only a route with @OwnerOrAdmin() has an owner.');
  return owner;
}
