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
