import type { Scope } from '@items/dtos/contract';

/** Splits a scope parameter into words. RFC 6749 §3.3 */
export function words(scope: string | null | undefined): string[] {
  return (scope ?? '').split(' ').filter((word) => word !== '');
}

/** Scopes of OpenID Connect that libraries request by themselves. */
const IGNORED: ReadonlySet<string> = new Set(['openid', 'profile', 'email', 'offline_access']);

/**
 * Drops the scopes of OpenID Connect from a scope parameter.
 * @returns undefined if no scope is left, as if the parameter were omitted.
 */
export function withoutIgnored(scope: string | undefined): string | undefined {
  const left = words(scope).filter((word) => !IGNORED.has(word));
  return left.length === 0 ? undefined : left.join(' ');
}

/** Checks if a scope parameter of OAuth names a scope that does not exist, or none at all. */
export function isInvalidScope(scope: string, scopes: readonly string[]): boolean {
  return !areScopes(words(scope), [...scopes, ...IGNORED]);
}

/** Checks if there is at least one word and all words are scopes. */
export function areScopes(named: readonly string[], scopes: readonly string[]): boolean {
  return named.length > 0 && named.every((word) => scopes.includes(word));
}

/**
 * Returns the requested scopes that are allowed. SPEC §5.5
 * @param asked undefined or null: all allowed scopes.
 * @param scopes all scopes of the service.
 */
export function grantable(
  asked: string | null | undefined,
  allowed: ReadonlySet<Scope>,
  scopes: readonly Scope[],
): Scope[] {
  const isScope = (word: string): word is Scope => (scopes as readonly string[]).includes(word);
  const wanted = asked === undefined || asked === null ? scopes : words(asked).filter(isScope);
  return [...new Set(wanted)].filter((scope) => allowed.has(scope));
}
