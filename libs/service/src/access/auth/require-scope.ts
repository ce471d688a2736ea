import type { Scope } from '@items/dtos/contract';

import { declareRule, type ScopeName } from './access-rule.js';

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
