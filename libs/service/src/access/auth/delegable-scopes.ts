import type { Scope } from '@items/dtos/contract';

/** An administrator's alone: no application gets them, whatever its user may do and approves. SPEC §3 */
const NEVER: ReadonlySet<Scope> = new Set<Scope>(['users:write', 'clients:manage', 'webhooks:manage', 'audit:read']);

/** What a user may let an application do. @param held of the user, now. */
export function delegableScopes(held: ReadonlySet<Scope>): ReadonlySet<Scope> {
  return new Set([...held].filter((scope) => !NEVER.has(scope)));
}
