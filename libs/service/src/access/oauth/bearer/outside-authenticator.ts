import { type MaybePromise, thenMaybe } from '@items/conventions';
import { type FactoryProvider, Injectable, Logger } from '@nestjs/common';
import { hashSecret } from '../../credentials/secrets/secret.js';
import { type OutsideToken, OutsideTokens } from '../../outside-tokens/outside-tokens.js';
import type { Account } from '../../accounts/account.js';
import { Identities, isSubject } from '../../accounts/identities.js';
import type { TokenAuthenticator } from '../../auth/auth-options.js';
import { delegableScopes, effectiveScopes, isDelegable } from '../../principal/rights.js';
import { Permissions } from '../../principal/permissions.js';
import type { Principal } from '../../principal/principal.js';
import { CONFIG, type Config } from '../../../runtime/config/config.js';

/** Finds the caller of a token of another issuer. SPEC §5.5 */
@Injectable()
export class OutsideAuthenticator implements TokenAuthenticator {
  constructor(
    private readonly tokens: OutsideTokens,
    private readonly identities: Identities,
    private readonly permissions: Permissions,
  ) {}

  isCached(token: string): boolean {
    return this.tokens.isCached(token);
  }

  authenticate(token: string): MaybePromise<Principal | null> {
    return thenMaybe(this.tokens.authenticate(token), (caller) => {
      if (caller === null) return null;
      const { issuer, person } = caller;
      const account = !isSubject(person) ? undefined : this.identities.find({ issuer, subject: person });
      return thenMaybe(account, (known) =>
        known?.disabled === true ? null : outsidePrincipal(caller, known ?? null, this.permissions),
      );
    });
  }
}

/** Returns the linked user, with at most the scopes of the token, or a caller without a user. */
export function outsidePrincipal(
  { issuer, subject, scopes, areScopesMapped }: Omit<OutsideToken, 'endsAt'>,
  account: Account | null,
  permissions: Pick<Permissions, 'isScope'>,
): Principal {
  // Scopes that are not delegable are granted only if the operator mapped them, and only to a caller without a user.
  const allowed = scopes.filter(permissions.isScope).filter((scope) => areScopesMapped || isDelegable(scope));
  return {
    credentialId: `outside:${hashSecret(JSON.stringify([issuer, subject]))}`,
    kind: 'bearer',
    userId: account?.id ?? null,
    isAdmin: false,
    scopes: account === null ? new Set(allowed) : effectiveScopes(allowed, delegableScopes(account.scopes)),
    rateLimit: null,
    ...(account === null ? { issuer } : { isOutside: true }),
  };
}

export const outsideTokens: FactoryProvider<OutsideTokens> = {
  provide: OutsideTokens,
  inject: [CONFIG],
  useFactory: ({ oauthIssuers }: Config) => new OutsideTokens(oauthIssuers, new Logger(OutsideTokens.name)),
};
