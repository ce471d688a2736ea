import type { Scope } from '@items/dtos/contract';
import { FIRST_PARTY } from '../../credentials/tokens/lifetimes.js';
import { isLoopbackAddress, isSecureLoopback } from '../../credentials/clients/loopback.js';
import { isPublic } from '../../credentials/clients/client-rules.js';
import { isUsable } from '../../credentials/clients/redirect-uris.js';
import { ReadOnlyAdapter } from './read-only-adapter.js';
import { RESPONSE_MODE } from './patches/offered-metadata.js';
import type { AdapterPayload } from 'oidc-provider';

import type { AdapterParts } from './adapter-parts.js';
import { PROVED_SECRET } from './patches/proved-client.js';

/**
 * The built-in public client, which refreshes the tokens of `POST /sessions` and of the organisation's pages. SPEC §5.4
 */
function firstParty(redirectUris: readonly string[], scopes: readonly Scope[]): AdapterPayload {
  const takesCodes = redirectUris.length > 0;
  return {
    client_id: FIRST_PARTY,
    client_name: 'First party',
    redirect_uris: [...redirectUris],
    response_types: takesCodes ? ['code'] : [],
    ...(takesCodes && { response_modes: [RESPONSE_MODE] }),
    grant_types: takesCodes ? ['authorization_code', 'refresh_token'] : ['refresh_token'],
    scope: scopes.join(' '),
    token_endpoint_auth_method: 'none',
  };
}

/** The organisation's pages and the console. */
function ownPages({ firstPartyRedirects, console, baseUrl }: AdapterParts['config']): readonly string[] {
  return console ? [...firstPartyRedirects, `${baseUrl}/console/callback`] : firstPartyRedirects;
}

export class ClientAdapter extends ReadOnlyAdapter {
  constructor(private readonly parts: Pick<AdapterParts, 'clients' | 'config' | 'permissions'>) {
    super();
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const { config, permissions } = this.parts;
    if (id === FIRST_PARTY) return firstParty(ownPages(config), permissions.scopes);
    const client = await this.parts.clients.find(id);
    if (client === null) return undefined;
    // Older versions stored URIs without validation. A single invalid one would make oidc-provider refuse every request
    // of the client.
    const redirectUris = client.redirect_uris.filter(isUsable);
    const takesCodes = client.grant_types.includes('authorization_code') && redirectUris.length > 0;
    return {
      client_id: client.id,
      client_name: client.name,
      ...(isPublic(client) && { application_type: isNative(redirectUris) ? 'native' : 'web' }),
      // Only hashes of secrets are stored. A request of an authenticated client is passed on with this secret instead.
      ...(!isPublic(client) && { client_secret: PROVED_SECRET }),
      redirect_uris: takesCodes ? redirectUris : [],
      response_types: takesCodes ? ['code'] : [],
      ...(takesCodes && { response_modes: [RESPONSE_MODE] }),
      grant_types: client.grant_types.filter((type) => type !== 'authorization_code' || takesCodes),
      // oidc-provider would not limit an empty scope.
      scope: client.scopes.join(' '),
      token_endpoint_auth_method: client.token_endpoint_auth_method,
    };
  }
}

/** oidc-provider accepts any port of a loopback address from a native client. */
function isNative(redirectUris: readonly string[]): boolean {
  return redirectUris.some(isLoopbackAddress) && !redirectUris.some(isSecureLoopback);
}
