import type { Scope } from '@items/dtos/contract';

/** Only for administrators: no application gets them, even if its user has and approves them. SPEC §3 */
const NEVER: ReadonlySet<Scope> = new Set<Scope>(['users:write', 'clients:manage', 'webhooks:manage', 'audit:read']);

/** @param held Current scopes of the user. */
export function delegableScopes(held: ReadonlySet<Scope>): ReadonlySet<Scope> {
  return new Set([...held].filter(isDelegable));
}

export function isDelegable(scope: string): boolean {
  return !(NEVER as ReadonlySet<string>).has(scope);
}
