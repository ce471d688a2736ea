import { hash, randomBytes } from 'node:crypto';

import { type Bounds, ExpiringMap } from '../../caching/expiring-map.js';
import { thenMaybe, type MaybePromise } from '@items/conventions';
import { type FailureKeys, failureKeysOf } from '../../credentials/logins/login-failures.js';
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

/** As they stand in the header. */
interface Credentials {
  readonly name: string;
  readonly pass: string;
}

/** What is asked for a credential from an address. */
interface Presented {
  readonly username: string;
  readonly address: string;
  readonly digest: string;
  readonly failures: FailureKeys;
}

/**
 * Tells whose a username and password are. Verified ones are known again, from the same address, by a hash that begins with
 * a key which never leaves this process, and neither does the hash; what their user may do is asked anew each time.
 */
@Injectable()
export class BasicAuthenticator {
  /** As long as what SHA-256 takes at once. */
  private readonly key = randomBytes(48).toString('base64url');
  private readonly verified = new ExpiringMap<Verified>(KNOWN);
  private readonly made = new WeakMap<Credentials, Presented>();
  private readonly pending = new Map<string, Promise<Account | undefined>>();

  constructor(private readonly accounts: Accounts) {}

  /**
   * @returns null for a credential that is not valid, whatever the reason.
   * @throws {TooManyFailuresError} 429 @throws {ServiceUnavailableError} 503
   */
  async authenticate(username: string, password: string, source: LoginSource): Promise<Principal | null> {
    const presented = this.presented({ name: username, pass: password }, source.address);
    const verified = this.verified.get(presented.digest, performance.now());
    const known = verified && (await this.accounts.find(verified.userId));
    const recognized = this.recognized(presented, verified, known, source);
    const account = (await recognized) ?? (await this.verify(presented.digest, username, password, source));
    return account === undefined ? null : principalOf(account);
  }

  /**
   * Of a credential that was verified lately; undefined where it has to be verified, or its user to be looked up.
   * @param credentials what is made of the same object is made once.
   */
  known(credentials: Credentials, source: LoginSource): MaybePromise<Principal> | undefined {
    let presented = this.made.get(credentials);
    if (presented?.address !== source.address) {
      presented = this.presented(credentials, source.address);
      this.made.set(credentials, presented);
    }
    const verified = this.verified.get(presented.digest, performance.now());
    const account = verified && this.accounts.peek(verified.userId);
    const recognized = this.recognized(presented, verified, account, source);
    return recognized && thenMaybe(recognized, principalOf);
  }

  /**
   * The account, where a credential is still what was verified. Wrong passwords count against it as well: else it alone
   * would answer otherwise than the wrong ones.
   */
  private recognized(
    { username, failures }: Presented,
    verified: Verified | undefined,
    account: Account | null | undefined,
    source: LoginSource,
  ): MaybePromise<Account> | undefined {
    const isCurrent = account?.credentialsVersion === verified?.credentialsVersion && account?.username === username;
    if (!isCurrent || account.disabled) return undefined;
    return thenMaybe(this.accounts.recognized(failures, source), () => account);
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

  private presented({ name: username, pass: password }: Credentials, address: string): Presented {
    // A username has no colon: Basic itself parts the two by the first one. An address has no line break.
    const text = `${this.key}${networkOf(address)}\n${username}:${password}`;
    return { username, address, digest: hash('sha256', text, 'base64url'), failures: failureKeysOf(username, address) };
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
