import type { Scope } from '@items/dtos/contract';

/** What a credential and its user both allow. @param held of the user, now. SPEC §5.2 */
export function effectiveScopes(granted: Iterable<Scope>, held: ReadonlySet<Scope>): ReadonlySet<Scope> {
  return new Set([...granted].filter((scope) => held.has(scope)));
}
