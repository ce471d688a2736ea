import { type AnyScope, declareRule, type ScopeName } from './access-rule.js';

/**
 * Requires at least one of the scopes, by which the handler filters: 401 without a valid credential, 403 without any of
 * the scopes.
 * @example
 * @Get()
 * @RequireAnyScope('items:read', 'orders:read') list() {}
 */
export function RequireAnyScope(...scopes: readonly [ScopeName, ...ScopeName[]]): MethodDecorator {
  return declareRule(scopes as AnyScope);
}
