import type { ApiKey, ApiKeyInput, ApiKeySecret, RateLimit, Scope } from '@items/contracts';

import type { CollectionDefinition } from '../collections/collection.js';
import { ApiKeyEntity } from './api-key.entity.js';
import type { StoredSecret } from './api-key-secrets.js';

/** What the collection of API keys says about itself. SPEC §5, decisions §4 */
export const apiKeyCollection: CollectionDefinition<ApiKeyEntity, ApiKey, Required<ApiKeyInput>> = {
  name: 'api_keys',
  singular: 'API key',
  entity: ApiKeyEntity,
  sortable: ['created_at', 'last_used_at'],
  filters: {},
  counted: [['user_id']],
  present: (row) => ({
    id: row.id,
    name: row.name,
    scopes: JSON.parse(row.scopes) as Scope[],
    expires_at: shownTime(row.expires_at),
    rate_limit: row.rate_limit === null ? null : (JSON.parse(row.rate_limit) as RateLimit),
    allowed_origins: row.allowed_origins === null ? null : (JSON.parse(row.allowed_origins) as string[]),
    user_id: row.user_id,
    secrets: shownSecrets(row.secrets),
    last_used_at: shownTime(row.last_used_at),
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  }),
  accept: ({ scopes, ...settings }) => ({
    ...acceptSettings(settings),
    ...acceptScopes(scopes),
    last_used_at: null,
    user_id: null,
    secrets: null,
  }),
};

/** As columns, what a replacement sets in any case. */
export function acceptSettings({
  name,
  expires_at: expiresAt,
  rate_limit: rateLimit,
  allowed_origins: allowedOrigins,
}: Required<Omit<ApiKeyInput, 'scopes'>>): Pick<
  ApiKeyEntity,
  'name' | 'expires_at' | 'rate_limit' | 'allowed_origins'
> {
  return {
    name,
    expires_at: expiresAt === null ? null : Date.parse(expiresAt),
    rate_limit:
      rateLimit === null ? null : JSON.stringify({ requests: rateLimit.requests, seconds: rateLimit.seconds }),
    allowed_origins: allowedOrigins === null ? null : JSON.stringify(allowedOrigins),
  };
}

/** As a column, what grants access, and is never changed by leaving it out. decisions §2 */
export function acceptScopes(scopes: readonly Scope[]): Pick<ApiKeyEntity, 'scopes'> {
  return { scopes: JSON.stringify(scopes) };
}

/** One whose grace has ended is not valid any more. */
function shownSecrets(stored: string | null): ApiKeySecret[] {
  return (JSON.parse(stored ?? '[]') as StoredSecret[])
    .filter(({ expires_at: expiresAt }) => expiresAt === null || expiresAt > Date.now())
    .map((secret) => ({
      created_at: new Date(secret.created_at).toISOString(),
      expires_at: shownTime(secret.expires_at),
      last_used_at: shownTime(secret.last_used_at),
    }));
}

function shownTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
