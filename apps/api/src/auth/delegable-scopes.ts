import type { Scope } from '@items/contracts';

/** What no application gets, whatever its user may do and approves. SPEC §3 */
const NEVER: ReadonlySet<Scope> = new Set<Scope>(['webhooks:manage']);

/** What a user may let an application do. @param held of the user, now. */
export function delegableScopes(held: ReadonlySet<Scope>): ReadonlySet<Scope> {
  return new Set([...held].filter((scope) => !NEVER.has(scope)));
}
