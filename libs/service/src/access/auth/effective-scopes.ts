import type { Scope } from '@items/dtos/contract';

/** @param held Current scopes of the user. SPEC §5.2 */
export function effectiveScopes(granted: Iterable<Scope>, held: ReadonlySet<Scope>): ReadonlySet<Scope> {
  return new Set([...granted].filter((scope) => held.has(scope)));
}
