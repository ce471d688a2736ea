import type { Scope } from '@items/dtos/contract';

/** Scopes for administrators only. No application gets them, even if its user has and approves them. SPEC §3 */
const NEVER: ReadonlySet<Scope> = new Set<Scope>(['users:write', 'clients:manage', 'webhooks:manage', 'audit:read']);

/** Returns the scopes that an application may have. @param held current scopes of the user. */
export function delegableScopes(held: ReadonlySet<Scope>): ReadonlySet<Scope> {
  return new Set([...held].filter(isDelegable));
}

export function isDelegable(scope: string): boolean {
  return !(NEVER as ReadonlySet<string>).has(scope);
}
