import type { Scope } from '@items/dtos/contract';

/** Scopes that only administrators have. No application gets them, whatever its user has and approves. SPEC §3 */
const NEVER: ReadonlySet<Scope> = new Set<Scope>(['users:write', 'clients:manage', 'webhooks:manage', 'audit:read']);

/** Returns the scopes that an application may have. @param held scopes of the user, now. */
export function delegableScopes(held: ReadonlySet<Scope>): ReadonlySet<Scope> {
  return new Set([...held].filter(isDelegable));
}

export function isDelegable(scope: string): boolean {
  return !(NEVER as ReadonlySet<string>).has(scope);
}
