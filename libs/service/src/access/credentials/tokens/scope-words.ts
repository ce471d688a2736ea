import type { Scope } from '@items/dtos/contract';

/** The words of a scope parameter. RFC 6749 §3.3 */
export function words(scope: string | null | undefined): string[] {
  return (scope ?? '').split(' ').filter((word) => word !== '');
}

/**
 * What is granted of a scope parameter: what is beyond the allowed is left out. SPEC §5.5
 * @param asked undefined or null for all that is allowed.
 * @param scopes all of the service.
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
