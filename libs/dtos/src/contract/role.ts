import { SCOPES, SERVICE_SCOPES, type Scope } from './scope.js';

/** One of {@link ROLES}. */
export type Role = 'viewer' | 'member' | 'admin';

/** What a user may be, least first; those that a service adds stand before `admin`. SPEC §5 */
export const ROLES: readonly Role[] = ['viewer', 'member', 'admin'];

/** An administrator's alone. */
const AUDIT: Scope = 'audit:read';

/**
 * What {@link ROLES} hold of the scopes of a service: a viewer reads, a member writes to its collections too, and an
 * administrator does everything.
 */
export function roleScopesOf(scopes: readonly Scope[]): Readonly<Record<Role, ReadonlySet<Scope>>> {
  const viewer = scopes.filter((scope) => scope.endsWith(':read') && scope !== AUDIT);
  const writes = scopes.filter((scope) => scope.endsWith(':write') && !SERVICE_SCOPES.includes(scope));
  return {
    viewer: new Set(viewer),
    member: new Set<Scope>([...viewer, ...writes, 'keys:manage']),
    admin: new Set(scopes),
  };
}

/** A role is a named set of scopes: no credential of a user holds more than their role does now. SPEC §5.2 */
export const ROLE_SCOPES = roleScopesOf(SCOPES);
