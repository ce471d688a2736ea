import type { ErrorForm } from '../../http/edge-options.js';
import { StartRefusedError } from '../../http/nest/start-refused.js';
import type { RouteQuota } from '@items/throttling';
import type { Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

import type { QuotaUse } from '../throttling/quota-holders.js';
import { declaredRules, type AccessRule } from './access-rule.js';
import { EndsAccess } from './ends-access.js';
import { ReachedBy, type ReachableBy } from './owner-or-admin.js';

/** All that is judged of a request before its route does anything. */
export interface RouteAccess {
  readonly rule: AccessRule;
  /**
   * Who counts the requests: the hook of all routes; the route itself, while the hook counts
   * refused requests for their address; or none, with `@Uncounted()`.
   */
  readonly counted: 'by-hook' | 'by-route' | 'never';
  /** Quota of the caller. Default: the common one. */
  readonly quota?: QuotaUse;
  /** What `@Throttle()` and `@SkipThrottle()` say; added when Fastify gets the route. */
  readonly quotaOfRoute?: RouteQuota;
  /** Default: every caller that satisfies the rule. */
  readonly reachedBy?: ReachableBy;
}

/** The declared access of a handler. */
export interface DeclaredAccess {
  readonly access: RouteAccess;
  /** How refusals are written, where they have not the one form of all others. */
  readonly errorForm?: ErrorForm;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requirements of the route. The service does not start with a route without them. */
    access?: RouteAccess;
  }
}

/** A method of a controller. */
interface Handler {
  readonly name: string;
}

/** The routes find out by themselves for whom they count a request; what is refused before counts for its address. SPEC §8.1 */
export const CountsItself = Reflector.createDecorator();

/** Requests of the routes count in no quota. Only for routes that need no credential. */
export const Uncounted = Reflector.createDecorator();

/** The form of errors before the handler runs. */
export const RefusedAs = Reflector.createDecorator<ErrorForm>();

const reflector = new Reflector();

/**
 * Reads the declarations on a handler or its controller.
 * @returns undefined without a rule.
 * @throws {Error} the handler has two rules and could be open to callers that one of them excludes.
 */
export function declaredAccess(controller: Type, handler: Handler): DeclaredAccess | undefined {
  const [rule, second] = declaredRules(handler);
  if (rule === undefined) return undefined;
  if (second !== undefined) {
    throw new StartRefusedError(
      `${controller.name}.${handler.name}() declares two access rules: give it one, as @RequireScope() or @Public().`,
    );
  }
  const targets = [handler as () => void, controller];
  const reachedBy = reflector.getAllAndOverride<ReachableBy | undefined>(ReachedBy.KEY, targets);
  const errorForm = reflector.getAllAndOverride<ErrorForm | undefined>(RefusedAs.KEY, targets);
  const countsItself = reflector.getAllAndOverride<unknown>(CountsItself.KEY, targets);
  const endsAccess = reflector.get<unknown>(EndsAccess.KEY, handler as () => void) !== undefined;
  const isUncounted = reflector.getAllAndOverride<unknown>(Uncounted.KEY, targets) !== undefined;
  const counted = countedBy(countsItself, isUncounted);
  return {
    access: {
      rule,
      counted,
      ...(endsAccess && { quota: 'ending' as const }),
      ...(reachedBy !== undefined && { reachedBy }),
    },
    ...(errorForm !== undefined && { errorForm }),
  };
}

function countedBy(countsItself: unknown, isUncounted: boolean): RouteAccess['counted'] {
  if (countsItself !== undefined) return 'by-route';
  return isUncounted ? 'never' : 'by-hook';
}
