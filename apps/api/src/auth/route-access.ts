import { THROTTLER_SKIP } from '@nestjs/throttler/dist/throttler.constants.js';

import { CREDENTIAL_QUOTA } from '../throttling/quota-names.js';
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
 * @throws {Error} if the route has no access rule, or two: it would be open to all, or nobody would know to whom.
 */
export function routeAccess(controller: object, handler: Handler): RouteAccess {
  const [rule, second] = declaredRules(handler);
  if (rule === undefined || second !== undefined) {
    throw new Error(`${handler.name} declares ${rule === undefined ? 'no access rule' : 'two access rules'}.`);
  }
  const key = THROTTLER_SKIP + CREDENTIAL_QUOTA;
  const skipped: unknown = Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller);
  return { rule, counted: skipped !== true };
}
