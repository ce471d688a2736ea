import { createParamDecorator, type CustomDecorator, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';

import type { Owner } from './ownership.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The owner named by the path; null without `@OwnerOrAdmin()`. */
    owner: Owner | null;
  }
}

/**
 * Callers of a route: the user that a path parameter names, and administrators; administrators
 * only; or all callers.
 */
export type ReachableBy = 'admin' | 'everybody' | { readonly owner: string };

/** Metadata of the decorators below. */
export const ReachedBy = Reflector.createDecorator<ReachableBy>();

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
export function OwnerOrAdmin(parameter: string): CustomDecorator {
  return ReachedBy({ owner: parameter });
}

/** The route answers only administrators: 403 for others. SPEC §5.2 */
export function AdminOnly(): CustomDecorator {
  return ReachedBy('admin');
}

/**
 * The route, or every route of the controller, answers every caller whom its rule lets in, whichever user the path names.
 * SPEC §5.2
 */
export function EveryUsersData(): CustomDecorator {
  return ReachedBy('everybody');
}

/** The {@link Owner} that the path of a route with `@OwnerOrAdmin()` names. */
export const PathOwner = createParamDecorator((_data: unknown, context: ExecutionContext): Owner =>
  ownerOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** Returns the owner of a request. @throws {Error} its route has no `@OwnerOrAdmin()`. */
export function ownerOf({ owner }: FastifyRequest): Owner {
  if (owner === null) throw new Error('Only a route with @OwnerOrAdmin() has an owner.');
  return owner;
}
