import { createHmac, randomBytes } from 'node:crypto';

import { type Bounds, ExpiringMap } from '@items/caching';
import { networkOf } from '@items/http';
import { Injectable } from '@nestjs/common';

import type { Account } from '../../accounts/account.js';
import { Accounts, type LoginSource } from '../../accounts/accounts.js';
import { countsAsAdmin } from '../counts-as-admin.js';
import type { Principal } from '../../principal/principal.js';

/** How long a password that was verified is not verified again. SPEC §5.6 */
const LIFETIME_MS = 5 * 60 * 1000;
/** Credentials known at once; those not used for the longest time are verified anew. */
const KNOWN: Bounds = { entries: 10_000, bytes: 8_388_608 };

/** Whose a verified credential is, and what it was valid under. */
interface Verified {
  readonly userId: string;
  readonly credentialsVersion: number;
}

/**
 * Tells whose a username and password are. Verified ones are known again, from the same address, by an HMAC under a key
 * that never leaves this process; what their user may do is asked anew each time.
 */
@Injectable()
export class BasicAuthenticator {
  private readonly key = randomBytes(32);
  private readonly verified = new ExpiringMap<Verified>(KNOWN);
  private readonly pending = new Map<string, Promise<Account | undefined>>();

  constructor(private readonly accounts: Accounts) {}

  /**
   * @returns null for a credential that is not valid, whatever the reason.
   * @throws {TooManyFailuresError} 429 @throws {ServiceUnavailableError} 503
   */
  async authenticate(username: string, password: string, source: LoginSource): Promise<Principal | null> {
    const digest = this.digestOf(username, password, source.address);
    const account =
      (await this.known(digest, username, source)) ?? (await this.verify(digest, username, password, source));
    return account === undefined ? null : principalOf(account);
  }

  /** Wrong passwords count against a known one as well: else it alone would answer otherwise than the wrong ones. */
  private async known(digest: string, username: string, source: LoginSource): Promise<Account | undefined> {
    const verified = this.verified.get(digest, performance.now());
    if (verified === undefined) return undefined;
    const account = await this.accounts.find(verified.userId);
    const isCurrent = account?.credentialsVersion === verified.credentialsVersion && account.username === username;
    if (!isCurrent || account.disabled) return undefined;
    await this.accounts.recognized(username, source);
    return account;
  }

  /** Requests that bring the same credential at once share one verification. */
  private verify(
    digest: string,
    username: string,
    password: string,
    source: LoginSource,
  ): Promise<Account | undefined> {
    const pending = this.pending.get(digest);
    if (pending !== undefined) return pending;
    const verification = this.accounts
      .authenticate(username, password, source)
      .then((account) => {
        if (account !== undefined) {
          const { id: userId, credentialsVersion } = account;
          this.verified.set(digest, { userId, credentialsVersion }, performance.now() + LIFETIME_MS);
        }
        return account;
      })
      .finally(() => this.pending.delete(digest));
    this.pending.set(digest, verification);
    return verification;
  }

  private digestOf(username: string, password: string, address: string): string {
    // A username has no colon: Basic itself parts the two by the first one. An address has no line break.
    return createHmac('sha256', this.key)
      .update(`${networkOf(address)}\n${username}:${password}`)
      .digest('base64url');
  }
}

const principals = new WeakMap<Account, Principal>();

/** Made once for what is known of an account, not once a request. */
function principalOf(account: Account): Principal {
  let principal = principals.get(account);
  if (principal === undefined) {
    const { id, role, scopes } = account;
    principal = {
      credentialId: `basic:${id}`,
      kind: 'basic',
      userId: id,
      isAdmin: countsAsAdmin(role),
      scopes,
      rateLimit: null,
    };
    principals.set(account, principal);
  }
  return principal;
}
