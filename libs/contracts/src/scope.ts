/** What a credential may be allowed to do. SPEC §5 */
export const SCOPES = [
  'items:read',
  'items:write',
  'orders:read',
  'orders:write',
  'users:read',
  'users:write',
  'keys:manage',
  'clients:manage',
  'webhooks:manage',
] as const;

/** One of {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number];

/** Whether a text is one of {@link SCOPES}. */
export function isScope(text: unknown): text is Scope {
  return (SCOPES as readonly unknown[]).includes(text);
}
