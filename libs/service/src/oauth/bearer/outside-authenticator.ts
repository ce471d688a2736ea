import { hashed } from '../../credentials/tokens/hashed.js';
import { OutsideTokens } from '../../outside-tokens/outside-tokens.js';
import { Injectable } from '@nestjs/common';

import type { Account } from '../../accounts/account.js';
import { Identities } from '../../accounts/identities.js';
import type { TokenAuthenticator } from '../../auth/auth-options.js';
import { effectiveScopes } from '../../auth/effective-scopes.js';
import { Permissions } from '../../principal/permissions.js';
import type { Principal } from '../../principal/principal.js';
import type { OutsideCaller } from '../outside-tokens.js';

/** A principal with the user that it was made for: where the user has changed, another is made. */
interface Known {
  readonly account: Account | null;
  readonly principal: Principal;
}

/** Tells whose a token of another issuer is: of a user where the person is linked to one. SPEC §5.5 */
@Injectable()
export class OutsideAuthenticator implements TokenAuthenticator {
  private readonly principals = new WeakMap<OutsideCaller, Known>();

  constructor(
    private readonly tokens: OutsideTokens<OutsideCaller>,
    private readonly identities: Identities,
    private readonly permissions: Permissions,
  ) {}

  /** @throws {ServiceUnavailableError} 503: the issuer's keys cannot be had, or the database cannot tell. */
  async authenticate(token: string): Promise<Principal | null> {
    const caller = await this.tokens.authenticate(token);
    if (caller === null) return null;
    const { issuer, person } = caller;
    return this.judged(caller, person === undefined ? null : await this.identities.find({ issuer, subject: person }));
  }

  known(token: string): Principal | null | undefined {
    const caller = this.tokens.known(token);
    if (!caller) return caller;
    const { issuer, person } = caller;
    const account = person === undefined ? null : this.identities.peek({ issuer, subject: person });
    return account === undefined ? undefined : this.judged(caller, account);
  }

  /** @param account null where no user is linked. */
  private judged(caller: OutsideCaller, account: Account | null): Principal | null {
    if (account?.disabled === true) return null;
    const known = this.principals.get(caller);
    if (known !== undefined && known.account === account) return known.principal;
    const principal = outsidePrincipal(caller, account, this.permissions);
    this.principals.set(caller, { account, principal });
    return principal;
  }
}

/** The holder of another issuer's token: the linked user, within the limits of the token; else no user of ours. */
export function outsidePrincipal(
  { issuer, subject, scopes }: OutsideCaller,
  account: Account | null,
  permissions: Pick<Permissions, 'isScope'>,
): Principal {
  const allowed = scopes.filter(permissions.isScope);
  return {
    // Neither of the two alone is unique.
    credentialId: `outside:${hashed(JSON.stringify([issuer, subject]))}`,
    kind: 'bearer',
    userId: account?.id ?? null,
    isAdmin: false,
    scopes: account === null ? new Set(allowed) : effectiveScopes(allowed, account.scopes),
    rateLimit: null,
    ...(account !== null && { isOutside: true }),
  };
}
