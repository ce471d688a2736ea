import { hash, randomBytes } from 'node:crypto';
import { boundedCache } from '../../../data/caching/bounded-cache.js';
import { failureKeysOf } from '../../credentials/logins/login-failures.js';
import { type MaybePromise, thenMaybe } from '@items/conventions';
import { networkOf } from '../../../http/request/network-of.js';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { parse } from 'basic-auth';
import type { FastifyRequest } from 'fastify';
import { Passport } from 'passport';
import { Strategy } from 'passport-custom';
import type { Account } from '../../accounts/account.js';
import { Accounts, type LoginSource } from '../../accounts/accounts.js';
import { countsAsAdmin } from '../../principal/rights.js';
import type { Principal } from '../../principal/principal.js';

/** Time until a verified password is verified again. SPEC §5.6 */
const LIFETIME_MS = 5 * 60 * 1000;
const CACHE_BYTES = 8_388_608;

interface Verified {
  readonly userId: string;
  readonly credentialsVersion: number;
}

type LoginRequest = Pick<FastifyRequest, 'headers' | 'ip' | 'id'>;

interface Login {
  readonly username: string;
  readonly password: string;
  readonly source: LoginSource;
}

/**
 * Recognizes a verified username and password by a keyed hash. The hash includes the network of the client. Key and
 * hash never leave this process. Each request looks up the rights of the user. RFC 7617
 */
@Injectable()
export class BasicStrategy extends PassportStrategy(Strategy, 'basic') {
  /** Secret prefix of the hashed text: 64 characters, one block of SHA-256. */
  private readonly key = randomBytes(48).toString('base64url');
  private readonly verified = boundedCache<Verified>({ maxBytes: CACHE_BYTES, ttlMs: LIFETIME_MS });
  private readonly pending = new Map<string, Promise<Account | undefined>>();

  constructor(private readonly accounts: Accounts) {
    super();
  }

  /** Returns a caller whose password was verified recently. Synchronous without Redis if the account is cached. */
  cached(request: LoginRequest): MaybePromise<Principal | undefined> {
    const login = loginOf(request);
    if (login === undefined) return undefined;
    const account = this.recognized(this.digestOf(login), login);
    return thenMaybe(account, (known) => known && principalOf(known));
  }

  async validate(request: LoginRequest): Promise<Principal | null> {
    const login = loginOf(request);
    if (login === undefined) return null;
    const account = await this.verify(this.digestOf(login), login);
    return account === undefined ? null : principalOf(account);
  }

  getPassportInstance(): InstanceType<typeof Passport> {
    return new Passport();
  }

  private digestOf({ username, password, source }: Login): string {
    // The separators are unambiguous: a username has no colon, and an address no line break.
    const text = `${this.key}${networkOf(source.address)}\n${username}:${password}`;
    return hash('sha256', text, 'base64url');
  }

  /**
   * Throws after too many wrong passwords, even for a verified password: otherwise the response would reveal that this
   * password is right.
   */
  private recognized(digest: string, { username, source }: Login): MaybePromise<Account | undefined> {
    const verified = this.verified.get(digest);
    if (verified === undefined) return undefined;
    return thenMaybe(this.accounts.find(verified.userId), (account) => {
      const isCurrent = account?.credentialsVersion === verified.credentialsVersion && account.username === username;
      if (!isCurrent || account.disabled) return undefined;
      const failures = failureKeysOf(username, source.address);
      return thenMaybe(this.accounts.resetAfterCachedLogin(failures, source), () => account);
    });
  }

  /** Concurrent requests with the same credential share one verification. */
  private verify(digest: string, { username, password, source }: Login): Promise<Account | undefined> {
    const pending = this.pending.get(digest);
    if (pending !== undefined) return pending;
    const verification = this.accounts
      .authenticate(username, password, source)
      .then((account) => {
        if (account !== undefined) {
          const { id: userId, credentialsVersion } = account;
          this.verified.set(digest, { userId, credentialsVersion });
        }
        return account;
      })
      .finally(() => this.pending.delete(digest));
    this.pending.set(digest, verification);
    return verification;
  }
}

function loginOf({ headers, ip, id }: LoginRequest): Login | undefined {
  const credentials = parse(headers.authorization ?? '');
  if (credentials === undefined) return undefined;
  return { username: credentials.name, password: credentials.pass, source: { address: ip, requestId: id } };
}

function principalOf({ id, role, scopes }: Account): Principal {
  return {
    credentialId: `basic:${id}`,
    kind: 'basic',
    userId: id,
    isAdmin: countsAsAdmin(role),
    scopes,
    rateLimit: null,
  };
}
