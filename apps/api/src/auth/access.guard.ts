import { isScope, type Scope } from '@items/contracts';
import {
  DelegatedCredentialError,
  InsufficientScopeError,
  OriginNotAllowedError,
  RateLimitedError,
} from '@items/errors';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { requireSupportedVersion } from '../http/api-version.js';
import type { AccessRule } from './access-rule.js';
import { Admission } from './admission.js';
import { unauthorized } from './challenges.js';
import type { Principal } from './principal.js';
import { routeAccess, type RouteAccess } from './route-access.js';
import type { Verdict } from './verdict.js';

/**
 * The one guard of every route. It judges before the body is read, in the order of decisions §1: what every route
 * refuses, 401 or 429, 403, and the version.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly routes = new Map<unknown, RouteAccess>();

  constructor(private readonly admission: Admission) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const [request, reply] = context.getArgs<[FastifyRequest, FastifyReply]>();
    const { rule, counted } = this.accessOf(context);
    if (counted) return this.judge(rule, request, reply);
    const refusal = this.admission.refusalFor(request);
    if (refusal !== null) throw refusal;
    requireSupportedVersion(request.raw);
    return true;
  }

  private async judge(rule: AccessRule, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const verdict = await this.admission.admit(request, reply);
    if (verdict.refusal !== null) throw verdict.refusal;
    if (verdict.failure !== null && rule !== 'public') throw verdict.failure;
    if (verdict.standing.exceeded) throw new RateLimitedError(verdict.standing.resetSeconds);
    if (rule !== 'public') requireAccess(rule, request, verdict);
    requireSupportedVersion(request.raw);
    return true;
  }

  /** Metadata is read once a handler, not once a request. */
  private accessOf(context: ExecutionContext): RouteAccess {
    const handler = context.getHandler();
    let access = this.routes.get(handler);
    if (access === undefined) {
      access = routeAccess(context.getClass(), handler);
      this.routes.set(handler, access);
    }
    return access;
  }
}

function requireAccess(
  rule: Exclude<AccessRule, 'public'>,
  request: FastifyRequest,
  { presented, principal }: Verdict,
): void {
  if (principal === null) throw unauthorized(presented);
  requireOrigin(principal, request.raw.headers.origin);
  if (isScope(rule)) requireScope(principal, rule);
  else requirePersonal(principal, rule);
}

function requireScope({ scopes }: Principal, scope: Scope): void {
  if (!scopes.has(scope)) throw new InsufficientScopeError(scope);
}

/** What has no scope of its own is about credentials: keys need the scope of those, applications keep away. ADR 18 */
function requirePersonal(principal: Principal, rule: 'authenticated' | 'first-party'): void {
  if (principal.kind === 'api-key') requireScope(principal, 'keys:manage');
  if (rule === 'first-party' && principal.delegatedTo !== undefined) throw new DelegatedCredentialError();
}

/** Browsers name the page's origin, and no page can name another one; other clients need not name any. */
function requireOrigin({ allowedOrigins }: Principal, origin: string | undefined): void {
  if (allowedOrigins === undefined || origin === undefined || allowedOrigins.includes(origin)) return;
  throw new OriginNotAllowedError();
}
