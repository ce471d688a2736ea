import type { Scope } from '@items/dtos/contract';
import { DelegatedCredentialError, OriginNotAllowedError } from '../errors/access-errors.js';
import { unauthorized } from '../credentials/requests/challenges.js';
import { InsufficientScopeError } from '@items/conventions';
import type { FastifyRequest } from 'fastify';

import type { Config } from '../config/config.js';
import { isDelegated } from '../principal/is-delegated.js';
import type { Principal } from '../principal/principal.js';
import { type AccessRule, type AnyScope, isScopeRule } from './access-rule.js';
import type { AdmissionResult } from './admission-result.js';

/** @throws {UnauthorizedError} 401 @throws {InsufficientScopeError} 403 @throws {OriginNotAllowedError} 403 */
export function requireAccess(
  rule: Exclude<AccessRule, 'public'>,
  request: FastifyRequest,
  { presented, principal }: Pick<AdmissionResult, 'presented' | 'principal'>,
  config: Pick<Config, 'baseUrl'>,
): Principal {
  if (principal === null) throw unauthorized(presented, config);
  requireOrigin(principal, request.raw.headers.origin);
  if (typeof rule === 'object') requireAnyScope(principal, rule);
  else if (isScopeRule(rule)) requireScope(principal, rule);
  else requirePersonal(principal, rule);
  return principal;
}

function requireScope({ scopes }: Principal, scope: Scope): void {
  if (!scopes.has(scope)) throw new InsufficientScopeError(scope);
}

function requireAnyScope({ scopes }: Principal, any: AnyScope): void {
  if (!any.some((scope) => scopes.has(scope))) throw new InsufficientScopeError(...any);
}

/** What has no scope of its own is about credentials: keys need the scope of those, applications keep away. ADR 18 */
function requirePersonal(principal: Principal, rule: 'authenticated' | 'first-party'): void {
  if (principal.kind === 'api-key') requireScope(principal, 'keys:manage');
  if (rule === 'first-party' && isDelegated(principal)) throw new DelegatedCredentialError();
}

/** Browsers name the page's origin, and no page can name another one; other clients need not name any. */
function requireOrigin({ allowedOrigins }: Principal, origin: string | undefined): void {
  if (allowedOrigins === undefined || origin === undefined || allowedOrigins.includes(origin)) return;
  throw new OriginNotAllowedError();
}
