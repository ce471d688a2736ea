import { SCOPES, COLLECTION_WRITE_SCOPES, replaceScopes, SERVICE_SCOPES, type Scope } from './scope.js';

const OWN_ROLES = ['viewer', 'member', 'admin'] as const;

/** One of {@link ROLES}. */
export type Role = (typeof OWN_ROLES)[number];

/** What a user may be, least first; those that a service adds stand before `admin`. SPEC §5 */
export const ROLES: readonly Role[] = [...OWN_ROLES];

/** An administrator's alone. */
const AUDIT: Scope = 'audit:read';
const VIEWER = SCOPES.filter((scope) => scope.endsWith(':read') && scope !== AUDIT);
const MEMBER: readonly Scope[] = [...VIEWER, ...COLLECTION_WRITE_SCOPES, 'orders:write', 'keys:manage'];

/** A role is a named set of scopes: no credential of a user holds more than their role does now. SPEC §5.2 */
export const ROLE_SCOPES: Readonly<Record<Role, ReadonlySet<Scope>>> = {
  viewer: new Set(VIEWER),
  member: new Set(MEMBER),
  admin: new Set(SCOPES),
};

/**
 * From now on this process serves these collections, and no others have scopes: viewers read them, members write them.
 * @param names as they stand in scopes, of all collections of the process.
 */
export function serveCollections(names: readonly string[]): void {
  const reads = names.map((name) => `${name}:read`);
  const writes = names.map((name) => `${name}:write`);
  replaceScopes([...names.flatMap((name) => [`${name}:read`, `${name}:write`]), ...SERVICE_SCOPES]);
  const viewer = [...reads, ...SERVICE_SCOPES.filter((scope) => scope.endsWith(':read') && scope !== AUDIT)];
  const scopes: Readonly<Record<Role, readonly string[]>> = {
    viewer,
    member: [...viewer, ...writes, 'keys:manage'],
    admin: SCOPES,
  };
  for (const role of OWN_ROLES) {
    const held = ROLE_SCOPES[role] as Set<Scope>;
    held.clear();
    for (const scope of scopes[role]) held.add(scope as Scope);
  }
}
