import type { Scope } from '@items/dtos/contract';

export function splitScope(scope: string | null | undefined): string[] {
  return (scope ?? '').split(' ').filter((word) => word !== '');
}

/** Scopes of OpenID Connect that libraries request by default. */
const IGNORED: ReadonlySet<string> = new Set(['openid', 'profile', 'email', 'offline_access']);

/** @returns Undefined if no scope is left, as if the parameter were omitted. */
export function withoutIgnored(scope: string | undefined): string | undefined {
  const left = splitScope(scope).filter((word) => !IGNORED.has(word));
  return left.length === 0 ? undefined : left.join(' ');
}

export function isInvalidScope(scope: string, scopes: readonly string[]): boolean {
  return !areScopes(splitScope(scope), [...scopes, ...IGNORED]);
}

export function areScopes(named: readonly string[], scopes: readonly string[]): boolean {
  return named.length > 0 && named.every((word) => scopes.includes(word));
}

/** @param requested Default: all allowed scopes. SPEC §5.5 */
export function grantable(
  requested: string | null | undefined,
  allowed: ReadonlySet<Scope>,
  scopes: readonly Scope[],
): Scope[] {
  const isScope = (word: string): word is Scope => (scopes as readonly string[]).includes(word);
  const wanted = requested === undefined || requested === null ? scopes : splitScope(requested).filter(isScope);
  return [...new Set(wanted)].filter((scope) => allowed.has(scope));
}
