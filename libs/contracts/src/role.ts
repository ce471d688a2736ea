import { SCOPES, COLLECTION_WRITE_SCOPES, type Scope } from './scope.js';

/** What a user may be, least first. SPEC §5 */
export const ROLES = ['viewer', 'member', 'admin'] as const;

/** One of {@link ROLES}. */
export type Role = (typeof ROLES)[number];

const VIEWER = SCOPES.filter((scope) => scope.endsWith(':read'));
const MEMBER: readonly Scope[] = [...VIEWER, ...COLLECTION_WRITE_SCOPES, 'orders:write', 'keys:manage'];

/** A role is a named set of scopes: no credential of a user holds more than their role does now. SPEC §5.2 */
export const ROLE_SCOPES: Readonly<Record<Role, ReadonlySet<Scope>>> = {
  viewer: new Set(VIEWER),
  member: new Set(MEMBER),
  admin: new Set(SCOPES),
};
