import { isDeepStrictEqual } from 'node:util';
import type { RouteQuota } from '@items/throttling';
import type { Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyContextConfig } from 'fastify';
import type { ErrorForm } from '../../http/edge-options.js';
import { StartRefusedError } from '../../data/definition/start-refused.js';
import type { QuotaUse } from '../throttling/quota-holders.js';
import { type AccessRule, declaredRules } from './access-rule.js';
import { EndsAccess, type AllowedCallers, AllowCallers } from './decorators.js';
import type { ControllerMethod, HandledBy } from '../../http/nest/route-config.js';

export interface RouteAccess {
  readonly rule: AccessRule;
  /**
   * `by-hook`: the access hook counts the requests. `by-route`: the route counts, and the hook counts refused requests
   * by address. `never`: the route has `@Uncounted()`.
   */
  readonly counted: 'by-hook' | 'by-route' | 'never';
  readonly quota?: QuotaUse;
  readonly quotaOfRoute?: RouteQuota;
  /** Default: every caller that satisfies the rule. */
  readonly allowedCallers?: AllowedCallers;
}

export interface DeclaredAccess {
  readonly access: RouteAccess;
  readonly errorForm?: ErrorForm;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Each route needs an access rule, else the service refuses to start. */
    access?: RouteAccess;
  }
}

interface Handler {
  readonly name: string;
}

/**
 * Marks a route that counts its requests itself. A request that fails before the handler counts for its address. SPEC
 * §8.1
 */
export const CountsOwnRequests = Reflector.createDecorator();

/** Excludes routes from all quotas. Only for routes that need no credential. */
export const Uncounted = Reflector.createDecorator();

/** Sets the format of errors that occur before the handler runs. */
export const EarlyErrorForm = Reflector.createDecorator<ErrorForm>();

const reflector = new Reflector();

/**
 * @returns Undefined if the handler has no rule.
 * @throws {StartRefusedError} The handler has two rules. The second could admit callers that the first excludes.
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
  const allowedCallers = reflector.getAllAndOverride<AllowedCallers | undefined>(AllowCallers.KEY, targets);
  const errorForm = reflector.getAllAndOverride<ErrorForm | undefined>(EarlyErrorForm.KEY, targets);
  const countsOwnRequests = reflector.getAllAndOverride<unknown>(CountsOwnRequests.KEY, targets);
  const endsAccess = reflector.get<unknown>(EndsAccess.KEY, handler as () => void) !== undefined;
  const isUncounted = reflector.getAllAndOverride<unknown>(Uncounted.KEY, targets) !== undefined;
  const counted = countedBy(countsOwnRequests, isUncounted);
  return {
    access: {
      rule,
      counted,
      ...(endsAccess && { quota: 'revocation' as const }),
      ...(allowedCallers !== undefined && { allowedCallers }),
    },
    ...(errorForm !== undefined && { errorForm }),
  };
}

function countedBy(countsOwnRequests: unknown, isUncounted: boolean): RouteAccess['counted'] {
  if (countsOwnRequests !== undefined) return 'by-route';
  return isUncounted ? 'never' : 'by-hook';
}

export function accessConfig(
  controller: Type,
  handler: ControllerMethod,
  { access }: FastifyContextConfig,
): Partial<DeclaredAccess> & { readonly handledBy: HandledBy } {
  const declared = declaredAccess(controller, handler);
  if (declared !== undefined && access !== undefined && !isDeepStrictEqual(access, declared.access)) {
    throw new StartRefusedError(
      `${controller.name}.${handler.name}() is inherited by controllers that give it different access.`,
    );
  }
  return { ...declared, handledBy: { controller, handler } };
}
