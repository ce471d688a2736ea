import { createParamDecorator, type CustomDecorator, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';

import type { Owner } from './ownership.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on a route without `@OwnerOrAdmin()`. */
    owner: Owner | null;
  }
}

/** `owner` is a path parameter: its user and administrators may call the route. */
export type ReachableBy = 'admin' | 'everybody' | { readonly owner: string };

export const ReachedBy = Reflector.createDecorator<ReachableBy>();

/**
 * Restricts a route or a controller to administrators and the user in a path parameter. Others get 403, even if that
 * user does not exist. `@PathOwner()` injects the owner.
 * @example
 * @Get(':id')
 * @RequireScope('users:read')
 * @OwnerOrAdmin('id') get(@PathOwner() { id }: Owner) {}
 * @see SPEC §5.2
 */
export function OwnerOrAdmin(parameter: string): CustomDecorator {
  return ReachedBy({ owner: parameter });
}

/** Restricts the route to administrators: 403 for others. SPEC §5.2 */
export function AdminOnly(): CustomDecorator {
  return ReachedBy('admin');
}

/** Opens the route or controller to every caller that satisfies its rule, whichever user is in the path. SPEC §5.2 */
export function EveryUsersData(): CustomDecorator {
  return ReachedBy('everybody');
}

/** Passes the {@link Owner} of a route with `@OwnerOrAdmin()`. */
export const PathOwner = createParamDecorator((_data: unknown, context: ExecutionContext): Owner =>
  ownerOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

export function ownerOf({ owner }: FastifyRequest): Owner {
  if (owner === null) throw new Error('Only a route with @OwnerOrAdmin() has an owner.');
  return owner;
}
