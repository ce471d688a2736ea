import { isScope, SCOPES, type Scope } from '@items/contracts';

/** The words of a scope parameter. RFC 6749 §3.3 */
export function words(scope: string | null | undefined): string[] {
  return (scope ?? '').split(' ').filter((word) => word !== '');
}

/**
 * What is granted of a scope parameter: what is beyond the allowed is left out. SPEC §5.5
 * @param asked undefined or null for all that is allowed.
 */
export function grantable(asked: string | null | undefined, allowed: ReadonlySet<Scope>): Scope[] {
  const wanted = asked === undefined || asked === null ? SCOPES : words(asked).filter(isScope);
  return [...new Set(wanted)].filter((scope) => allowed.has(scope));
}
