import { SCOPES, type Scope } from './scope.js';

/** What a user may be, least first. SPEC §5 */
export const ROLES = ['viewer', 'member', 'admin'] as const;

/** One of {@link ROLES}. */
export type Role = (typeof ROLES)[number];

const VIEWER = SCOPES.filter((scope) => scope.endsWith(':read'));
const MEMBER: readonly Scope[] = [...VIEWER, 'items:write', 'orders:write', 'keys:manage'];

/** A role is a named set of scopes: no credential of a user holds more than his role does now. authentication.md */
export const ROLE_SCOPES: Readonly<Record<Role, ReadonlySet<Scope>>> = {
  viewer: new Set(VIEWER),
  member: new Set(MEMBER),
  admin: new Set(SCOPES),
};
