import { skipsThrottle } from '@items/throttling';
import type { Type } from '@nestjs/common';

import { declaredRules, type AccessRule } from './access-rule.js';

/** All that the guard needs to know of a route. */
export interface RouteAccess {
  readonly rule: AccessRule;
  /** Whether its requests count against a quota: not where `@SkipThrottle()` says so. */
  readonly counted: boolean;
}

/** A method of a controller. */
interface Handler {
  readonly name: string;
}

/**
 * Reads what was declared on a handler, or on its controller.
 * @throws {Error} if the route has no access rule, or two: it would be open to all, or to callers that it does not name.
 */
export function routeAccess(controller: Type, handler: Handler): RouteAccess {
  const [rule, second] = declaredRules(handler);
  if (rule === undefined || second !== undefined) {
    const said = rule === undefined ? 'no access rule' : 'two access rules';
    throw new Error(
      `${controller.name}.${handler.name}() declares ${said}: give it one, as @RequireScope() or @Public().`,
    );
  }
  return { rule, counted: !skipsThrottle(controller, handler) };
}
