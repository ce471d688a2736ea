import * as collections from './collections.js';

const COLLECTION_SCOPES = Object.values(collections).flat();

const OWN_SCOPES = [
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
export type Scope = (typeof COLLECTION_SCOPES | typeof OWN_SCOPES)[number];

/** What a credential may be allowed to do. SPEC §5 */
export const SCOPES: readonly Scope[] = [...COLLECTION_SCOPES, ...OWN_SCOPES];

/** Those of {@link SCOPES} that every service has, whatever it sells. */
export const SERVICE_SCOPES: readonly Scope[] = OWN_SCOPES.filter((scope) => !scope.startsWith('orders:'));

/** Whether a text is one of {@link SCOPES}. */
export function isScope(text: unknown): text is Scope {
  return (SCOPES as readonly unknown[]).includes(text);
}
