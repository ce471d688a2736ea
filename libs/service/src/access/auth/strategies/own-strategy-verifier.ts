import { createHmac, randomBytes } from 'node:crypto';
import { types } from 'node:util';
import { type MaybePromise, ServiceUnavailableError, thenMaybe } from '@items/conventions';
import type { FastifyRequest } from 'fastify';
import { boundedCache, type CacheClock } from '../../../data/caching/bounded-cache.js';
import { networkOf } from '../../../http/request/network-of.js';
import type { Audit } from '../../../runtime/logging/audit.js';
import type { Accounts } from '../../accounts/accounts.js';
import type { LoginFailures } from '../../credentials/logins/login-failures.js';
import type { Permissions } from '../../principal/permissions.js';
import type { Principal } from '../../principal/principal.js';
import { countsAsAdmin, effectiveScopes } from '../../principal/rights.js';
import {
  type AuthStrategy,
  type CredentialVerifier,
  type PassportStrategyObject,
  runStrategy,
} from './auth-strategy.js';
import type { OwnCaller } from './own-strategy.js';

export const VALIDATION_LIMIT_MS = 4000;
const LIFETIME_MS = 60_000;
const CACHE_BYTES = 4_194_304;

export interface OwnStrategyParts {
  readonly accounts: Pick<Accounts, 'find'>;
  readonly failures: Pick<LoginFailures, 'requireAddress' | 'addFailure'>;
  readonly audit: Pick<Audit, 'record'>;
  readonly permissions: Pick<Permissions, 'isScope'>;
}

export class OwnStrategyVerifier implements CredentialVerifier {
  /** Key of the HMACs under which verified credentials are cached. */
  private readonly secret = randomBytes(32);
  private readonly verified: ReturnType<typeof boundedCache<OwnCaller>>;

  constructor(
    private readonly row: AuthStrategy,
    private readonly strategy: PassportStrategyObject,
    private readonly parts: OwnStrategyParts,
    private readonly clock: CacheClock = performance,
  ) {
    this.verified = boundedCache({ maxBytes: CACHE_BYTES, ttlMs: LIFETIME_MS, clock });
  }

  cached(request: FastifyRequest): MaybePromise<Principal | undefined> {
    const caller = this.verified.get(this.fingerprintOf(request));
    if (caller === undefined || hasExpired(caller)) return undefined;
    return thenMaybe(this.parts.failures.requireAddress(request.ip), () =>
      thenMaybe(this.principalOf(caller), (principal) => principal ?? undefined),
    );
  }

  /**
   * A refusal counts as a failed login of the address.
   * @throws {ServiceUnavailableError} 503: the strategy failed or took too long, or the database is unavailable.
   */
  async verify(request: FastifyRequest): Promise<Principal | null> {
    const { failures, audit } = this.parts;
    await failures.requireAddress(request.ip);
    const start = this.clock.now();
    const caller = await this.callerOf(request);
    const principal = caller === null || hasExpired(caller) ? null : await this.principalOf(caller);
    if (principal === null) {
      const source = { actor: null, userId: null, address: request.ip, requestId: request.id };
      await failures.addFailure(request.ip);
      audit.record('login_failed', source, null, { strategy: this.row.name });
    } else if (caller?.expiresAt !== undefined) this.verified.set(this.fingerprintOf(request), caller, { start });
    return principal;
  }

  private async callerOf(request: FastifyRequest): Promise<OwnCaller | null> {
    try {
      return callerOf(await withinLimit(runStrategy(this.strategy, request)));
    } catch (error) {
      throw new ServiceUnavailableError(
        'strategy_unavailable',
        'The credential cannot be verified at present; try again shortly.',
        { cause: withoutSecret(error, this.credentialOf(request)) },
      );
    }
  }

  private principalOf({ userId, scopes }: OwnCaller): MaybePromise<Principal | null> {
    const { accounts, permissions } = this.parts;
    return thenMaybe(accounts.find(userId), (account) => {
      if (account === undefined || account.disabled) return null;
      const { id, role, scopes: held } = account;
      return {
        credentialId: `strategy:${this.row.name}`,
        kind: 'strategy',
        userId: id,
        isAdmin: countsAsAdmin(role),
        scopes: scopes === undefined ? held : effectiveScopes(scopes.filter(permissions.isScope), held),
        rateLimit: null,
      };
    });
  }

  private credentialOf({ headers }: FastifyRequest): string {
    return String(headers[this.row.header.toLowerCase()]);
  }

  /**
   * Includes the network of the caller (an IPv4 address, or an IPv6 /64), because `validate()` may depend on the
   * address.
   */
  private fingerprintOf(request: FastifyRequest): string {
    const text = `${networkOf(request.ip)}\n${this.credentialOf(request)}`;
    return createHmac('sha256', this.secret).update(text).digest('base64url');
  }
}

function hasExpired({ expiresAt }: OwnCaller): boolean {
  return expiresAt !== undefined && expiresAt.getTime() <= Date.now();
}

function callerOf(result: unknown): OwnCaller | null {
  if (result === null || result === undefined || result === false) return null;
  const { userId, scopes, expiresAt } = result as Readonly<Record<string, unknown>>;
  const areScopes =
    scopes === undefined || (Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string'));
  const isTime = expiresAt === undefined || (types.isDate(expiresAt) && !Number.isNaN(expiresAt.getTime()));
  if (typeof userId !== 'string' || !areScopes || !isTime)
    throw new TypeError('validate() must resolve to { userId, scopes?, expiresAt? } or null.');
  return { userId, ...(scopes && { scopes: [...scopes] as string[] }), ...(expiresAt && { expiresAt }) };
}

function withinLimit<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    const fail = (): void => reject(new Error('validate() took more than 4 s.'));
    timer = setTimeout(fail, VALIDATION_LIMIT_MS);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

const REDACTED = '[redacted]';

/** Copies name, message and stack of an error for the log, without the secret. */
function withoutSecret(error: unknown, secret: string): Error {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const redact = (text: string): string => (secret === '' ? text : text.replaceAll(secret, REDACTED));
  const copy = new Error(redact(message));
  copy.name = name;
  copy.stack = redact(stack ?? '');
  return copy;
}
