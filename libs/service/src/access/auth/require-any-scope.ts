import { type AnyScope, declareRule, type ScopeName } from './access-rule.js';

/**
 * The route answers those whose credential holds at least one of the scopes, and shows each what it may see: 401 without a
 * valid one, 403 without any of the scopes.
 * @example
 * @Get()
 * @RequireAnyScope('items:read', 'orders:read')
 * list() {}
 */
export function RequireAnyScope(...scopes: readonly [ScopeName, ...ScopeName[]]): MethodDecorator {
  return declareRule(scopes as AnyScope);
}
