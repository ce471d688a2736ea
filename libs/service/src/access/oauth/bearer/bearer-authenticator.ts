import type { Scope } from '@items/dtos/contract';
import { AccessTokenCache, type TokenFacts } from '../../credentials/tokens/access-token-cache.js';
import { OauthAudit } from '../../credentials/oauth/oauth-audit.js';
import { FIRST_PARTY } from '../../credentials/tokens/lifetimes.js';
import { hashSecret } from '../../credentials/secrets/secret.js';
import { isPromise, type MaybePromise, thenMaybe } from '@items/conventions';
import { Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account.js';
import { Accounts } from '../../accounts/accounts.js';
import type { TokenAuthenticator } from '../../auth/auth-options.js';
import { countsAsAdmin, delegableScopes, effectiveScopes } from '../../principal/rights.js';
import { Permissions } from '../../principal/permissions.js';
import type { Principal } from '../../principal/principal.js';
import { Authorizations } from '../authorizations/authorizations.js';
import { ClientRegistry, type RegisteredClient } from '../clients/client-registry.js';
import { AccessTokenUseWriter, SessionUseWriter } from './use-writers.js';

/** Tokens are 256 bits in base64url. */
const FORM = /^[A-Za-z0-9_-]{43}$/;

/**
 * Caches token, user and client separately for at most 5 s. A loss of rights therefore takes effect on all instances
 * within 5 s.
 */
@Injectable()
export class BearerAuthenticator implements TokenAuthenticator {
  constructor(
    private readonly accounts: Accounts,
    private readonly clients: ClientRegistry,
    private readonly tokens: AccessTokenCache,
    private readonly sessionUses: SessionUseWriter,
    private readonly permissions: Permissions,
    private readonly tokenUses: AccessTokenUseWriter,
    private readonly authorizations: Authorizations,
    private readonly audit: OauthAudit,
  ) {}

  isCached(token: string): boolean {
    return FORM.test(token) && this.tokens.cached(hashSecret(token)) !== undefined;
  }

  authenticate(token: string): MaybePromise<Principal | null> {
    if (!FORM.test(token)) return null;
    const hash = hashSecret(token);
    return thenMaybe(this.principalOf(hash), (principal) => {
      if (principal !== 'outdated') return principal;
      // The cache may be outdated: the user may have been enabled, or the authorization may have a new credentials
      // version.
      this.forget(hash);
      return thenMaybe(this.principalOf(hash), (fresh) => (fresh === 'outdated' ? null : fresh));
    });
  }

  private forget(hash: string): void {
    const userId = this.tokens.cached(hash)?.userId;
    if (userId !== undefined && userId !== null) this.accounts.forget(userId);
    this.tokens.forget(hash);
  }

  private principalOf(hash: string): MaybePromise<Principal | null | 'outdated'> {
    return thenMaybe(this.tokens.find(hash), (facts) => {
      if (facts === null || facts.expiresAt <= Date.now()) return null;
      if (facts.isVoid) return this.revoke(facts);
      if (facts.isUnused) this.tokenUses.record(hash);
      const account = facts.userId === null ? undefined : this.accounts.find(facts.userId);
      const client = facts.clientId === FIRST_PARTY ? null : this.clients.find(facts.clientId);
      return isPromise(account) || isPromise(client)
        ? Promise.all([account, client]).then(([user, application]) => this.currentPrincipal(facts, user, application))
        : this.currentPrincipal(facts, account, client);
    });
  }

  /** Revokes the tokens, because two clients have refreshed with the same token. RFC 9700 §4.14.2 */
  private async revoke({ clientId, userId, credentialId }: TokenFacts): Promise<null> {
    this.audit.reused('AccessToken', { client_id: clientId, user_id: userId, authorization_id: credentialId });
    await this.authorizations.end('id', credentialId);
    return null;
  }

  private currentPrincipal(
    facts: TokenFacts,
    account: Account | undefined,
    client: RegisteredClient | null,
  ): Principal | null | 'outdated' {
    if (client === null && facts.clientId !== FIRST_PARTY) return null;
    if (facts.userId !== null && (account === undefined || account.disabled)) return 'outdated';
    if (account !== undefined && facts.credentialsVersion < account.credentialsVersion) return 'outdated';
    if (client === null) this.sessionUses.record(facts.credentialId);
    const scopes = facts.scopes.filter(this.permissions.isScope);
    return principalOf({ ...facts, scopes }, account, client);
  }
}

type ScopedFacts = Omit<TokenFacts, 'scopes'> & { readonly scopes: readonly Scope[] };

function principalOf(facts: ScopedFacts, account: Account | undefined, client: RegisteredClient | null): Principal {
  const delegatedTo = account !== undefined && client !== null ? facts.clientId : undefined;
  const byClient = client === null ? facts.scopes : facts.scopes.filter((scope) => client.scopes.includes(scope));
  const held = delegatedTo === undefined ? account?.scopes : delegableScopes(account?.scopes ?? new Set());
  return {
    credentialId: facts.credentialId,
    kind: 'bearer',
    userId: facts.userId,
    isAdmin: countsAsAdmin(account?.role, delegatedTo),
    scopes: held === undefined ? new Set(byClient) : effectiveScopes(byClient, held),
    rateLimit: null,
    ...(delegatedTo !== undefined && { delegatedTo }),
    ...(facts.grantId !== null && { approvalId: facts.grantId }),
    ...(account === undefined && typeof client?.issuer === 'string' && { issuer: client.issuer }),
  };
}
