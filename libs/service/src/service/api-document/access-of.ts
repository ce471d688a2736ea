import {
  DelegatedCredentialError,
  OriginNotAllowedError,
  TooManyFailuresError,
} from '../../access/errors/access-errors.js';
import { FAILURES_PER_ACCOUNT } from '../../access/credentials/logins/login-failures.js';
import { InsufficientScopeError, NotOwnerError, RateLimitedError, type ApiError } from '@items/conventions';
import type { HandlerRoute, RouteAccess } from '../../document/route.js';
import { databaseUnavailable } from '../../data/database/database-unavailable.js';

import { type AccessRule, isScopeRule } from '../../access/auth/access-rule.js';
import type { AccessTable } from '../../access/auth/access-table.js';
import { type DeclaredAccess, declaredAccess } from '../../access/auth/route-access.js';
import type { AuthStrategies } from '../../access/auth/strategies/auth-strategies.js';

/** Describes how a route refuses callers, in the order of SPEC §1.3. */
export function accessOf(
  { controller, handler, config, method, path }: HandlerRoute,
  strategies: AuthStrategies,
  table: AccessTable,
): RouteAccess {
  const access = config?.access ?? declaredAccess(controller, handler)?.access ?? tabledAccess(table, method, path);
  if (access === undefined) throw new Error(`${path} declares no access rule.`);
  const { rule } = access;
  const schemes = Object.keys(strategies.securitySchemes([]));
  const counted = access.counted === 'by-hook';
  const quota = counted ? [new RateLimitedError(42)] : [];
  if (rule === 'public') return { sentence: 'Needs no credential.', security: [], counted, errors: quota };
  const scope = isScopeRule(rule) ? rule : undefined;
  return {
    sentence: sentenceOf(rule),
    ...(scope !== undefined && { scope }),
    ...(access.allowedCallers !== undefined &&
      access.allowedCallers !== 'everybody' && { reachedBy: access.allowedCallers === 'admin' ? 'admin' : 'owner' }),
    security: scopeSets(rule).flatMap((scopes) => schemes.map((name) => ({ [name]: scopes }))),
    counted,
    errors: [
      databaseUnavailable(),
      strategies.unauthorized(),
      ...quota,
      new TooManyFailuresError(FAILURES_PER_ACCOUNT, 42),
      ...lackingErrors(rule),
      new OriginNotAllowedError(),
      ...(path.includes('{user_id}') && access.allowedCallers !== 'everybody' ? [new NotOwnerError()] : []),
    ],
  };
}

function tabledAccess(table: AccessTable, method: string, path: string): DeclaredAccess['access'] | undefined {
  const rule = table.ruleOf(method.toUpperCase(), path.replace(/\{(\w+)\}/g, ':$1'));
  return rule && { rule, counted: 'by-hook' };
}

/** Returns sets of scopes. A credential needs all scopes of one set. */
function scopeSets(rule: AccessRule): string[][] {
  if (typeof rule === 'object') return rule.map((scope) => [scope]);
  return [isScopeRule(rule) ? [rule] : []];
}

function sentenceOf(rule: Exclude<AccessRule, 'public'>): string {
  const any = 'Needs any valid credential (an API key: with the scope `keys:manage`)';
  if (rule === 'authenticated') return `${any}.`;
  if (rule === 'first-party') return `${any}, but not of an application that acts for a user.`;
  if (typeof rule === 'object') return `Needs one of the scopes ${rule.map((scope) => `\`${scope}\``).join(', ')}.`;
  return `Needs the scope \`${rule}\`.`;
}

function lackingErrors(rule: Exclude<AccessRule, 'public'>): ApiError[] {
  if (typeof rule === 'object') return [new InsufficientScopeError(...rule)];
  if (isScopeRule(rule)) return [new InsufficientScopeError(rule)];
  const ofKeys = new InsufficientScopeError('keys:manage');
  return rule === 'first-party' ? [ofKeys, new DelegatedCredentialError()] : [ofKeys];
}
