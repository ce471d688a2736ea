import type { Client, GrantType } from '@items/dtos/contract';
import { ConflictError, ValidationError } from '@items/conventions';
import { requireUsableRedirectUris } from './redirect-uris.js';

type Stored = Pick<Client, 'grant_types' | 'redirect_uris' | 'token_endpoint_auth_method'>;

/**
 * Excludes the client credentials grant, which requires authentication: a public client has no secret. RFC 6749 §4.4
 */
const PUBLIC_GRANT_TYPES: readonly GrantType[] = ['authorization_code', 'refresh_token'];

export const NO_SECRET = 'This client has no secret, so there is none to replace.';

export function isPublic({ token_endpoint_auth_method: method }: Pick<Client, 'token_endpoint_auth_method'>): boolean {
  return method === 'none';
}

export function requireValidClient(client: Stored, sentUris?: readonly string[]): void {
  if (isPublic(client) && !client.grant_types.every((type) => PUBLIC_GRANT_TYPES.includes(type))) {
    const message = '"grant_types" of a client without a secret must be only "authorization_code", "refresh_token".';
    const params = { values: PUBLIC_GRANT_TYPES };
    throw new ValidationError([{ field: 'grant_types', code: 'not_allowed', message, params }]);
  }
  requireUsableRedirectUris(client, sentUris);
}

export function requireSameMethod(before: Stored, sent: Stored['token_endpoint_auth_method'] | undefined): void {
  const kept = before.token_endpoint_auth_method;
  if (sent === undefined || sent === kept) return;
  const message = `"token_endpoint_auth_method" must be "${kept}": it never changes.`;
  const params = { values: [kept] };
  throw new ValidationError([{ field: 'token_endpoint_auth_method', code: 'not_allowed', message, params }]);
}

export function requireSecret(client: Stored): void {
  if (!isPublic(client)) return;
  throw new ConflictError('no_client_secret', NO_SECRET);
}
