import type { Scope } from '@items/dtos/contract';
import { Reflector } from '@nestjs/core';
import { createParamDecorator, type CustomDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type AnyScope, declareRule, type ScopeName } from './access-rule.js';
import { principalOf } from '../principal/request-principal.js';
import type { Owner } from './ownership.js';

/** Opens the route to requests with or without a credential. SPEC §1.1 */
export function Public(): MethodDecorator {
  return declareRule('public');
}

/** Requires a valid credential (401) with any scopes. An API key needs `keys:manage` (403). SPEC §5.2, ADR 18 */
export function Authenticated(): MethodDecorator {
  return declareRule('authenticated');
}

/**
 * Opens the route like `@Authenticated()`, but refuses applications that act for a user: users cannot approve such
 * access. SPEC §5.2, ADR 18
 */
export function FirstParty(): MethodDecorator {
  return declareRule('first-party');
}

/**
 * Requires a scope: 401 without a valid credential, 403 without the scope.
 * @example
 * @Post()
 * @RequireScope('items:write') create() {}
 * @see SPEC §5
 */
export function RequireScope(scope: ScopeName): MethodDecorator {
  return declareRule(scope as Scope);
}

/**
 * Requires at least one of the scopes: 401 without a valid credential, 403 without any of the scopes. The handler
 * filters by the caller's scopes.
 * @example
 * @Get()
 * @RequireAnyScope('items:read', 'orders:read') list() {}
 */
export function RequireAnyScope(...scopes: readonly [ScopeName, ...ScopeName[]]): MethodDecorator {
  return declareRule(scopes as AnyScope);
}

/** Marks a route that ends access. Requests of logins to such routes count in a separate quota. SPEC §8.1 */
export const EndsAccess = Reflector.createDecorator();

/**
 * Injects the `Principal` of a non-public route.
 * @example create(@Caller() caller: Principal) {}
 */
export const Caller = createParamDecorator((_data: unknown, context) =>
  principalOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

declare module 'fastify' {
  interface FastifyRequest {
    owner: Owner | null;
  }
}

/** `owner` names a path parameter with a user. This user and administrators may call the route. */
export type AllowedCallers = 'admin' | 'everybody' | { readonly owner: string };

export const AllowCallers = Reflector.createDecorator<AllowedCallers>();

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
  return AllowCallers({ owner: parameter });
}

/** Restricts the route to administrators: 403 for others. SPEC §5.2 */
export function AdminOnly(): CustomDecorator {
  return AllowCallers('admin');
}

/**
 * Opens the route or controller to every caller that satisfies its rule, even if the path names another user. SPEC §5.2
 */
export function EveryUsersData(): CustomDecorator {
  return AllowCallers('everybody');
}

/** Injects the {@link Owner} of a route with `@OwnerOrAdmin()`. */
export const PathOwner = createParamDecorator((_data: unknown, context: ExecutionContext): Owner =>
  ownerOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

export function ownerOf({ owner }: FastifyRequest): Owner {
  if (owner === null) throw new Error('Only a route with @OwnerOrAdmin() has an owner.');
  return owner;
}
