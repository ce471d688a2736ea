import type { Scope } from '@items/dtos/contract';
import { FIRST_PARTY } from '../../credentials/tokens/lifetimes.js';
import { type GrantPayload } from '../../credentials/tokens/grant-payload.js';
import { ReadOnlyAdapter } from './read-only-adapter.js';
import { words } from '../../credentials/tokens/scope-words.js';
import type { AdapterPayload } from 'oidc-provider';

import { delegableScopes } from '../../auth/delegable-scopes.js';
import type { AdapterParts } from './adapter-parts.js';

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
    const account = await this.parts.accounts.find(authorization.user_id);
    if (account === undefined || account.disabled) return undefined;
    if (authorization.credentials_version < account.credentialsVersion) return undefined;
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
