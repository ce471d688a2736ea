import { isScope, ROLE_SCOPES, ROLES, type Role, type Scope, SCOPES } from '@items/contracts';

const ROLE_NAME = /^[a-z][a-z0-9_-]{0,49}$/;

/**
 * From now on users of this process may have these roles beside the three.
 * @param roles names, and the scopes that each holds: `{ clerk: ['orders:read', 'orders:write'] }`.
 * @throws {Error} a name that cannot be one, a scope that no collection has, or a role that has other scopes already.
 */
export function addRoles(roles: Readonly<Record<string, readonly string[]>>): void {
  for (const [name, scopes] of Object.entries(roles)) {
    if (!ROLE_NAME.test(name))
      throw new Error(`A role cannot be called "${name}": it must match ${String(ROLE_NAME)}.`);
    const unknown = scopes.find((scope) => !isScope(scope));
    if (unknown !== undefined)
      throw new Error(`The role "${name}" names the scope "${unknown}", but there are only ${SCOPES.join(', ')}.`);
    const wanted = new Set(scopes as readonly Scope[]);
    if (isRole(name)) requireSame(name, wanted);
    else {
      (ROLE_SCOPES as Record<string, ReadonlySet<Scope>>)[name] = wanted;
      (ROLES as Role[]).splice(-1, 0, name as Role);
    }
  }
}

function requireSame(role: Role, wanted: ReadonlySet<Scope>): void {
  const held = ROLE_SCOPES[role];
  if (held.size !== wanted.size || ![...held].every((scope) => wanted.has(scope)))
    throw new Error(`The role "${role}" has other scopes already: ${[...held].join(', ')}.`);
}

/** Whether a text is one of {@link ROLES}. */
export function isRole(text: unknown): text is Role {
  return (ROLES as readonly unknown[]).includes(text);
}

const NONE: ReadonlySet<Scope> = new Set();

/** @param role as a user has it. @returns its scopes; none where the service does not name it any more. */
export function scopesOfRole(role: string): ReadonlySet<Scope> {
  return isRole(role) ? ROLE_SCOPES[role] : NONE;
}
