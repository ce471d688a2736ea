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

/** One of {@link SCOPES}. */
export type Scope = (typeof ALL)[number];

/** What a credential may be allowed to do. SPEC §5 */
export const SCOPES: readonly Scope[] = ALL;

/** Those of {@link SCOPES} that every service has, whatever it sells. */
export const SERVICE_SCOPES: readonly Scope[] = ALL.filter((scope) => !/^(items|orders):/.test(scope));

/** Whether a text is one of {@link SCOPES}. */
export function isScope(text: unknown): text is Scope {
  return (SCOPES as readonly unknown[]).includes(text);
}
