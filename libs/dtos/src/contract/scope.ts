const ALL = [
  'items:read',
  'items:write',
  'orders:read',
  'orders:write',
  'users:read',
  'users:write',
  'keys:manage',
  'clients:manage',
  'webhooks:manage',
  'audit:read',
] as const;

export type Scope = (typeof ALL)[number];

export const SCOPES: readonly Scope[] = ALL;

/** The {@link SCOPES} that every service has. SPEC §5 */
export const SERVICE_SCOPES: readonly Scope[] = ALL.filter((scope) => !/^(items|orders):/.test(scope));

export function isScope(text: unknown): text is Scope {
  return (SCOPES as readonly unknown[]).includes(text);
}

export type Role = 'viewer' | 'member' | 'admin';

/** Roles from least to most powerful; a service inserts its own before `admin`. SPEC §5 */
export const ROLES: readonly Role[] = ['viewer', 'member', 'admin'];

const AUDIT: Scope = 'audit:read';

/**
 * Returns the scopes of each role. A viewer reads all but the audit log, a member also writes to the app's own
 * collections and manages keys, and an administrator has all scopes.
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

/** Scopes of each role. No credential has more than the current role of its user. SPEC §5.2 */
export const ROLE_SCOPES = roleScopesOf(SCOPES);
