import { createHmac, randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import type { Account } from '../../accounts/account.js';
import { Accounts } from '../../accounts/accounts.js';
import { ExpiringMap } from '../../caching/expiring-map.js';
import type { Principal } from '../principal.js';

/** How long a password that was verified is not verified again. authentication.md "Passwords" */
const LIFETIME_MS = 5 * 60 * 1000;
/** Credentials known at once. */
const CAPACITY = 10_000;

/** Whose a verified credential is, and what it was valid under. */
interface Verified {
  readonly userId: string;
  readonly credentialsVersion: number;
}

/** Where a login comes from. */
export interface LoginSource {
  readonly address: string;
  readonly requestId: string;
}

/**
 * Tells whose a username and password are. Verified ones are known again by an HMAC under a key that never leaves this
 * process; what their user may do is asked anew each time.
 */
@Injectable()
export class BasicAuthenticator {
  private readonly key = randomBytes(32);
  private readonly verified = new ExpiringMap<Verified>(CAPACITY);
  private readonly pending = new Map<string, Promise<Account | undefined>>();

  constructor(private readonly accounts: Accounts) {}

  /**
   * @returns null for a credential that is not valid, whatever the reason.
   * @throws {TooManyFailuresError} 429 @throws {ServiceUnavailableError} 503
   */
  async authenticate(username: string, password: string, source: LoginSource): Promise<Principal | null> {
    const digest = this.digestOf(username, password);
    const account = (await this.known(digest, username)) ?? (await this.verify(digest, username, password, source));
    return account === undefined ? null : principalOf(account);
  }

  private async known(digest: string, username: string): Promise<Account | undefined> {
    const verified = this.verified.get(digest, Date.now());
    if (verified === undefined) return undefined;
    const account = await this.accounts.find(verified.userId);
    const isCurrent = account?.credentialsVersion === verified.credentialsVersion && account.username === username;
    return isCurrent && !account.disabled ? account : undefined;
  }

  /** Requests that bring the same credential at once share one verification. */
  private verify(
    digest: string,
    username: string,
    password: string,
    { address, requestId }: LoginSource,
  ): Promise<Account | undefined> {
    const name = `${digest}/${address}`;
    const pending = this.pending.get(name);
    if (pending !== undefined) return pending;
    const verification = this.accounts
      .authenticate(username, password, address, requestId)
      .then((account) => {
        if (account !== undefined) {
          const { id: userId, credentialsVersion } = account;
          this.verified.set(digest, { userId, credentialsVersion }, Date.now() + LIFETIME_MS);
        }
        return account;
      })
      .finally(() => this.pending.delete(name));
    this.pending.set(name, verification);
    return verification;
  }

  private digestOf(username: string, password: string): string {
    // A username has no colon: Basic itself parts the two by the first one.
    return createHmac('sha256', this.key).update(`${username}:${password}`).digest('base64url');
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
      isAdmin: role === 'admin',
      scopes,
      rateLimit: null,
    };
    principals.set(account, principal);
  }
  return principal;
}
