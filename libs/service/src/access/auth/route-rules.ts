import { routeQuotaOf } from '@items/throttling';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { isCollectionRoutes } from '../../http/nest/collection-routes.js';
import type { HandledBy } from '../../http/nest/route-config.js';
import { StartRefusedError } from '../../data/definition/start-refused.js';
import type { Permissions } from '../principal/permissions.js';
import { type AccessRule, isScopeRule } from './access-rule.js';
import type { AccessTable } from './access-table.js';
import { describeUnsupportedGuard } from './refused-guards.js';
import type { RouteAccess } from './route-access.js';

/** Gives every route of Fastify its access rule, and prevents the start if a route has none. */
export class RouteRules {
  constructor(
    private readonly permissions: Pick<Permissions, 'isScope'>,
    private readonly table: AccessTable,
    private readonly upgrades: { readonly hasListeners: boolean },
  ) {}

  /** Call this before routes are registered. */
  install(fastify: FastifyInstance): void {
    for (const rule of this.table.upgradeRules) this.requireKnown(rule, 'An UPGRADE entry of the option access');
    fastify.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: this.accessOf(route) };
    });
    fastify.addHook('onReady', (done) => {
      this.table.requireUsed(this.upgrades.hasListeners);
      done();
    });
  }

  private accessOf(route: RouteOptions): RouteAccess {
    const { handledBy, access = this.accessByTable(route) } = route.config ?? {};
    const name = nameOf(route, handledBy);
    if (access === undefined) throw new StartRefusedError(missingRule(name, handledBy));
    this.requireKnown(access.rule, name);
    if (handledBy === undefined) return access;
    const guard = describeUnsupportedGuard(handledBy);
    if (guard !== undefined) throw new StartRefusedError(`${name} has the ${guard}`);
    requireOwner(route.url, name, access);
    return withRouteQuota(access, handledBy);
  }

  private requireKnown(rule: AccessRule, name: string): void {
    const unknown = scopesOf(rule).find((scope) => !this.permissions.isScope(scope));
    if (unknown === undefined) return;
    throw new StartRefusedError(
      `${name} needs the scope "${unknown}", which nothing declares: name a scope of the service or of one of its collections.`,
    );
  }

  private accessByTable({ method, url }: RouteOptions): RouteAccess | undefined {
    const rules = [method].flat().map((each) => this.table.ruleOf(each.toUpperCase(), url));
    const [rule] = rules;
    return rule === undefined || rules.some((each) => each !== rule) ? undefined : { rule, counted: 'by-hook' };
  }
}

function nameOf({ method, url }: RouteOptions, handledBy: HandledBy | undefined): string {
  const place = `${String(method)} ${url}`;
  return handledBy === undefined ? place : `${handledBy.controller.name}.${handledBy.handler.name}() (${place})`;
}

function missingRule(name: string, handledBy: HandledBy | undefined): string {
  return handledBy === undefined
    ? `${name} declares no access rule: name it in the option access of startService(), as in access: { '${name}': 'public' }.`
    : `${name} declares no access rule: decorate it with @RequireScope(), @RequireAnyScope(), @Authenticated() or @Public().`;
}

function scopesOf(rule: AccessRule): readonly string[] {
  if (typeof rule === 'object') return rule;
  return isScopeRule(rule) ? [rule] : [];
}

function requireOwner(url: string, name: string, { rule, allowedCallers }: RouteAccess): void {
  const parameter = userParameterOf(url);
  const owner = typeof allowedCallers === 'object' ? allowedCallers.owner : undefined;
  if (allowedCallers !== undefined && allowedCallers !== 'everybody' && rule === 'public') {
    throw new StartRefusedError(`${name} is @Public(), so no caller can be its owner: give it @RequireScope().`);
  }
  if (parameter === undefined ? owner === undefined : allowedCallers === 'admin' || allowedCallers === 'everybody')
    return;
  const expected = parameter ?? owner;
  if (owner === expected && new RegExp(`:${String(owner)}(?!\\w)`).test(url)) return;
  throw new StartRefusedError(
    parameter === undefined
      ? `${name} has @OwnerOrAdmin('${String(owner)}'), and its path has no such parameter: name one that it has.`
      : `${name} names a user in its path: decorate it with @OwnerOrAdmin('${parameter}') or @EveryUsersData().`,
  );
}

function userParameterOf(url: string): string | undefined {
  const [, below] = /^\/users\/(?::(\w+)|\*)/i.exec(url) ?? [];
  if (/^\/users\/\*/i.test(url)) return '*';
  return below ?? /:(user_id|userId)(?!\w)/.exec(url)?.[1];
}

function withRouteQuota(access: RouteAccess, { controller, handler }: HandledBy): RouteAccess {
  const quotaOfRoute = routeQuotaOf(controller, handler);
  if (quotaOfRoute === undefined) return access;
  if (quotaOfRoute.skipsCommon && isCollectionRoutes(controller)) {
    throw new StartRefusedError(
      `The collection of ${controller.name} has @SkipThrottle() among its decorators: set RATE_LIMIT, or use @Throttle() for a further quota.`,
    );
  }
  return { ...access, quotaOfRoute };
}
