import { SCOPES } from '@items/contracts';
import type { AdapterPayload } from 'oidc-provider';

import { isUsable } from '../clients/redirect-uris.js';
import { FIRST_PARTY } from '../lifetimes.js';
import type { AdapterParts } from './adapter-parts.js';
import { ReadOnlyAdapter } from './read-only-adapter.js';
import { RESPONSE_MODE } from './offered-metadata.js';

/** Users who log in at `POST /sessions` refresh as this client, which has no secret. SPEC §5.4 */
const FIRST_PARTY_METADATA: AdapterPayload = {
  client_id: FIRST_PARTY,
  client_name: 'First party',
  redirect_uris: [],
  response_types: [],
  grant_types: ['refresh_token'],
  scope: SCOPES.join(' '),
  token_endpoint_auth_method: 'none',
};

/** Gives oidc-provider the registered clients. */
export class ClientAdapter extends ReadOnlyAdapter {
  constructor(private readonly parts: Pick<AdapterParts, 'clients'>) {
    super();
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    if (id === FIRST_PARTY) return FIRST_PARTY_METADATA;
    const client = await this.parts.clients.find(id);
    if (client === null) return undefined;
    // One unusable address, stored before they were judged, would make oidc-provider refuse all that the client asks.
    const redirectUris = client.redirect_uris.filter(isUsable);
    const takesCodes = client.grant_types.includes('authorization_code') && redirectUris.length > 0;
    return {
      client_id: client.id,
      client_name: client.name,
      // Secrets are compared by their hashes; oidc-provider only wants to know that there is one.
      client_secret: client.secretHashes.join(' ') || 'none',
      redirect_uris: takesCodes ? redirectUris : [],
      response_types: takesCodes ? ['code'] : [],
      ...(takesCodes && { response_modes: [RESPONSE_MODE] }),
      grant_types: client.grant_types.filter((type) => type !== 'authorization_code' || takesCodes),
      // An empty scope would mean any.
      scope: client.scopes.join(' '),
      token_endpoint_auth_method: 'client_secret_basic',
    };
  }
}
