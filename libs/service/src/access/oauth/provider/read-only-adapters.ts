import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Scope } from '@items/dtos/contract';
import { FIRST_PARTY } from '../../credentials/tokens/lifetimes.js';
import type { GrantPayload } from '../../credentials/tokens/artifacts.js';
import { words } from '../../credentials/tokens/scope-words.js';
import { delegableScopes } from '../../principal/rights.js';
import type { AdapterParts } from './adapter-parts.js';
import { isLoopbackAddress, isSecureLoopback, isUsable } from '../../credentials/clients/redirect-uris.js';
import { isPublic } from '../../credentials/clients/client-rules.js';
import { RESPONSE_MODE } from './patches/offered-metadata.js';
import { PROVED_SECRET } from './patches/proved-client.js';

/** oidc-provider only reads these models. Other parts of the service write them. */
abstract class ReadOnlyAdapter implements Adapter {
  abstract find(id: string): Promise<AdapterPayload | undefined>;

  upsert(): Promise<void> {
    return Promise.reject(new Error('oidc-provider only reads this.'));
  }

  findByUid(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  consume(): Promise<void> {
    return Promise.resolve();
  }

  destroy(_id: string): Promise<void> {
    return Promise.resolve();
  }

  revokeByGrantId(): Promise<void> {
    return Promise.resolve();
  }
}

/**
 * oidc-provider sees authorizations as its grants. Pages and logins of this service create them; oidc-provider may
 * delete them.
 */
export class AuthorizationAdapter extends ReadOnlyAdapter {
  constructor(private readonly parts: AdapterParts) {
    super();
  }

  /** @returns Undefined also if the user is disabled, or has changed the password. */
  async find(id: string): Promise<AdapterPayload | undefined> {
    const authorization = await this.parts.authorizations.find(id);
    if (authorization === undefined) return undefined;
    const account = await this.parts.accounts.findEnabled(authorization.user_id, authorization.credentials_version);
    if (account === undefined) return undefined;
    const grant = JSON.parse(authorization.payload) as GrantPayload;
    const held = authorization.client_id === FIRST_PARTY ? account.scopes : delegableScopes(account.scopes);
    // New tokens, and introspection of old ones, omit scopes that were approved but are no longer held.
    const lost = words(grant.openid.scope).filter((scope) => !held.has(scope as Scope));
    const rejected = [...new Set([...words(grant.rejected?.openid.scope), ...lost])].join(' ');
    return {
      ...grant,
      rejected: { openid: { scope: rejected } },
      jti: id,
      exp: Math.floor(authorization.expires_at / 1000),
    };
  }

  /** Called for replay, reuse and revocation. */
  override async destroy(id: string): Promise<void> {
    const { authorizations } = this.parts;
    const ended = this.parts.isRevocation ? await authorizations.find(id) : undefined;
    if (ended === undefined) await authorizations.end('id', id);
    else await authorizations.revoke(id, this.parts.revokerOf(ended));
  }
}

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
