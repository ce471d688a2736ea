import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { GrantType, Scope } from '@items/dtos/contract';
import { FIRST_PARTY } from '../../credentials/tokens/lifetimes.js';
import type { GrantPayload } from '../../credentials/tokens/artifacts.js';
import { splitScope } from '../../credentials/tokens/scope-words.js';
import { delegableScopes } from '../../principal/rights.js';
import type { RegisteredClient } from '../clients/client-registry.js';
import type { AdapterParts } from './adapter-parts.js';
import { isLoopbackAddress, isSecureLoopback, isUsable } from '../../credentials/clients/redirect-uris.js';
import { isPublic } from '../../credentials/clients/client-rules.js';
import { VERIFIED_SECRET } from './patches/requests.js';
import { RESPONSE_MODE } from './patches/responses.js';

const nothing = (): Promise<undefined> => Promise.resolve(undefined);

/** Adapter of a model that other parts of the service write. With `destroy`, oidc-provider may delete entries. */
function readOnly(find: Adapter['find'], destroy: Adapter['destroy'] = nothing): Adapter {
  const upsert = (): Promise<never> => Promise.reject(new Error('oidc-provider must not write this model.'));
  return {
    find,
    destroy,
    upsert,
    findByUid: nothing,
    findByUserCode: nothing,
    consume: nothing,
    revokeByGrantId: nothing,
  };
}

/**
 * Shows authorizations to oidc-provider as its grants. This service creates them. oidc-provider deletes a grant after a
 * revocation, and after the reuse of a code or refresh token.
 */
export function authorizationAdapter(parts: AdapterParts): Adapter {
  const { authorizations } = parts;
  return readOnly(
    (id) => findGrant(parts, id),
    async (id) => {
      const ended = parts.isRevocation ? await authorizations.find(id) : undefined;
      if (ended === undefined) await authorizations.end('id', id);
      else await authorizations.revoke(id, parts.revokerOf(ended));
    },
  );
}

/** @returns Undefined for an unknown authorization, a disabled user or a changed password. */
async function findGrant(parts: AdapterParts, id: string): Promise<AdapterPayload | undefined> {
  const authorization = await parts.authorizations.find(id);
  if (authorization === undefined) return undefined;
  const account = await parts.accounts.findEnabled(authorization.user_id, authorization.credentials_version);
  if (account === undefined) return undefined;
  const grant = JSON.parse(authorization.payload) as GrantPayload;
  const held = authorization.client_id === FIRST_PARTY ? account.scopes : delegableScopes(account.scopes);
  // New tokens, and introspection of old tokens, omit approved scopes that the user no longer has.
  const lost = splitScope(grant.openid.scope).filter((scope) => !held.has(scope as Scope));
  const rejected = [...new Set([...splitScope(grant.rejected?.openid.scope), ...lost])].join(' ');
  return {
    ...grant,
    rejected: { openid: { scope: rejected } },
    jti: id,
    exp: Math.floor(authorization.expires_at / 1000),
  };
}

export function clientAdapter({ clients, config, permissions }: AdapterParts): Adapter {
  return readOnly(async (id) => {
    if (id === FIRST_PARTY) return firstParty(config, permissions.scopes);
    const client = await clients.find(id);
    return client === null ? undefined : registered(client);
  });
}

/** The built-in public client. `POST /sessions`, first-party pages and the console get its tokens. SPEC §5.4 */
function firstParty(
  { firstPartyRedirects, console, baseUrl }: AdapterParts['config'],
  scopes: readonly Scope[],
): AdapterPayload {
  const redirectUris = [...firstPartyRedirects, ...(console ? [`${baseUrl}/console/callback`] : [])];
  return {
    client_id: FIRST_PARTY,
    client_name: 'First party',
    ...codeFlow(redirectUris, ['authorization_code', 'refresh_token']),
    scope: scopes.join(' '),
    token_endpoint_auth_method: 'none',
  };
}

function registered(client: RegisteredClient): AdapterPayload {
  // Older versions stored URIs without validation. One invalid URI would make oidc-provider refuse every request of the
  // client.
  const redirectUris = client.redirect_uris.filter(isUsable);
  return {
    client_id: client.id,
    client_name: client.name,
    // All clients share this secret: `withVerifiedSecret` sends it in place of a verified secret.
    ...(isPublic(client)
      ? { application_type: isNative(redirectUris) ? 'native' : 'web' }
      : { client_secret: VERIFIED_SECRET }),
    ...codeFlow(redirectUris, client.grant_types),
    // oidc-provider does not limit a client with an empty scope, but the controllers do.
    scope: client.scopes.join(' '),
    token_endpoint_auth_method: client.token_endpoint_auth_method,
  };
}

/** A client without redirect URIs gets no codes. */
function codeFlow(redirectUris: string[], grantTypes: readonly GrantType[]): AdapterPayload {
  const takesCodes = grantTypes.includes('authorization_code') && redirectUris.length > 0;
  return {
    redirect_uris: takesCodes ? redirectUris : [],
    response_types: takesCodes ? ['code'] : [],
    ...(takesCodes && { response_modes: [RESPONSE_MODE] }),
    grant_types: grantTypes.filter((type) => type !== 'authorization_code' || takesCodes),
  };
}

/** True if oidc-provider must accept any port of a loopback address. */
function isNative(redirectUris: readonly string[]): boolean {
  return redirectUris.some(isLoopbackAddress) && !redirectUris.some(isSecureLoopback);
}
