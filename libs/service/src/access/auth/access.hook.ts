import {
  type ApiError,
  HEADER,
  InsufficientScopeError,
  isPromise,
  type MaybePromise,
  RateLimitedError,
  thenMaybe,
} from '@items/conventions';
import {
  CredentialInUrlError,
  DelegatedCredentialError,
  HttpsRequiredError,
  OriginNotAllowedError,
} from '../errors/access-errors.js';
import { refuseAfterGuards } from '../../http/nest/fault-after-guards.js';
import { waitForSlot } from '../../http/received-request.js';
import { recognize } from '../../http/scheduling/fairness-keys.js';
import { shareWithAnyClient, shareWithClient } from '../../http/request/cors.js';
import { hasCredentialInUrl } from '../../http/request/request-head.js';
import { toErrorAnswer } from '@items/conventions/answer';
import { Quota } from '@items/throttling';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CONFIG, type Config } from '../../runtime/config/config.js';
import { isDelegated, type Principal } from '../principal/principal.js';
import { principalOf } from '../principal/request-principal.js';
import { revocationHolder, fairnessKeyOf, quotaHolder } from '../throttling/quota-holders.js';
import type { AccessRule } from './access-rule.js';
import { AUTH_OPTIONS, type AuthOptions } from './auth-options.js';
import { Owner, requireAdmin } from './ownership.js';
import type { RouteAccess } from './route-access.js';
import { ANONYMOUS, AuthStrategies, CallerFinder, type Presented } from './strategies/auth-strategies.js';

/**
 * Checks credential, quota and scope in the order of SPEC §1.3, before the body is read and before Nest gets the
 * request.
 */
@Injectable()
export class AccessHook {
  constructor(
    private readonly callerFinder: CallerFinder,
    private readonly strategies: AuthStrategies,
    private readonly quota: Quota,
    @Inject(CONFIG) private readonly config: Pick<Config, 'requireHttps' | 'rateLimit' | 'versions'>,
    @Inject(AUTH_OPTIONS) private readonly options: AuthOptions,
  ) {}

  /** @param fastify Must not have controller routes yet. */
  install(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', (route) => {
      if (route.config?.access?.quota !== 'revocation') return;
      route.onSend = [
        ...[route.onSend ?? []].flat(),
        async (request, reply, payload): Promise<unknown> => {
          const isRefused = reply.statusCode === 401 || reply.statusCode === 403;
          return isRefused ? this.recountAsUsual(request, reply, payload) : payload;
        },
      ];
    });
    const { onChecked } = this.options;
    fastify.addHook('onRequest', (request, reply, done) => {
      // {@link EdgeAdmission} checks requests without a route.
      if (request.is404) {
        done();
        return;
      }
      const end = onChecked === undefined ? done : timed(onChecked, done);
      const { access } = request.routeOptions.config;
      let checking;
      try {
        if (access === undefined) throw new Error('A route without an access rule was added after the start.');
        checking = this.check(request, reply, access);
      } catch (error) {
        end(error as Error);
        return;
      }
      if (isPromise(checking)) checking.then(() => end(), end);
      else end();
    });
  }

  /**
   * Sets the rate limit headers and `request.principal`, even if it throws. A request with a new credential waits in
   * the address's queue before this method, and then in the caller's queue. Synchronous if the credential is cached and
   * this process counts its quota.
   */
  check(request: FastifyRequest, reply: FastifyReply, access: RouteAccess): MaybePromise<void> {
    if (access.counted !== 'by-hook') return this.checkUncounted(access.counted, request, reply);
    const presented = this.strategies.presentedBy(request);
    const refusal = this.refusalFor(request, presented);
    // Ignores a credential over plain HTTP, so the request counts as anonymous.
    const identity = refusal instanceof HttpsRequiredError ? ANONYMOUS : this.callerFinder.identify(request, presented);
    return thenMaybe(identity, ({ principal, failure }) => {
      request.principal = principal;
      // Lets an application's pages read responses to requests with its tokens, not with its API keys.
      if (principal?.kind === 'bearer' && principal.delegatedTo !== undefined)
        shareWithClient(request, reply, principal.delegatedTo);
      // If verification failed, the cached fairness key of the credential stays.
      const isNewCaller =
        failure === undefined && recognize(request.raw, principal === null ? undefined : fairnessKeyOf(principal));
      const ofRevocation =
        access.quota === 'revocation' && principal !== null ? revocationHolder(principal) : undefined;
      const holder = ofRevocation ?? (principal && quotaHolder(principal, this.config.rateLimit));
      return thenMaybe(this.quota.count(request, reply, holder, access.quotaOfRoute, principal?.userId), (quota) => {
        if (refusal !== null) throw refusal;
        // Throws 503, or 429 after too many wrong passwords.
        if (failure !== undefined && access.rule !== 'public') throw failure;
        if (quota.exceeded) throw new RateLimitedError(quota.resetSeconds);
        this.authorize(request, reply, access, presented);
        // Reports an unsupported `Api-Version` (400) after the guards, because their 403 takes precedence.
        if (request.raw.headers[HEADER.apiVersion] !== undefined) {
          const versionFault = this.config.versions.refusalFor(request.raw);
          if (versionFault !== undefined) refuseAfterGuards(request, versionFault);
        }
        return isNewCaller ? waitForSlot(request.raw) : undefined;
      });
    });
  }

  /** Checks the caller of a long poll again, because the credential may have ended or lost scopes. */
  async checkAgain(request: FastifyRequest, rule: Exclude<AccessRule, 'public'>): Promise<Principal> {
    const presented = this.strategies.presentedBy(request);
    const { principal, failure } = await this.callerFinder.identify(request, presented);
    if (failure !== undefined) throw failure;
    request.principal = principal;
    return this.requireAccess(rule, request, presented, principal);
  }

  /**
   * Moves a refused request (401, 403) from the revocation quota to the usual quota. Otherwise, refused requests could
   * block permitted ones. SPEC §8.1
   * @returns The body to send. If the usual quota is exceeded, the body of a 429.
   */
  private async recountAsUsual(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
    const { principal } = request;
    const holder = principal === null ? undefined : revocationHolder(principal);
    if (principal === null || holder === undefined) return payload;
    await this.quota.undo(holder);
    const state = await this.quota.count(request, reply, quotaHolder(principal, this.config.rateLimit));
    if (!state.exceeded) return payload;
    const { status, headers, body } = toErrorAnswer(new RateLimitedError(state.resetSeconds));
    reply.removeHeader('www-authenticate');
    reply.code(status).headers(headers as Record<string, string>);
    return body;
  }

  private authorize(
    request: FastifyRequest,
    reply: FastifyReply,
    { rule, allowedCallers }: RouteAccess,
    presented: Presented,
  ): void {
    const { principal } = request;
    // Adds CORS headers, so that a page can read the error when its token has expired.
    if (principal === null && rule !== 'public' && isBearer(presented)) shareWithAnyClient(request, reply);
    if (rule !== 'public') this.requireAccess(rule, request, presented, principal);
    if (allowedCallers === 'admin') requireAdmin(principalOf(request));
    else if (typeof allowedCallers === 'object') {
      const { [allowedCallers.owner]: name = '' } = request.params as Readonly<Record<string, string>>;
      request.owner = Owner.named(name, principalOf(request));
    }
  }

  private requireAccess(
    rule: Exclude<AccessRule, 'public'>,
    request: FastifyRequest,
    presented: Presented,
    principal: Principal | null,
  ): Principal {
    if (principal === null) throw this.strategies.unauthorized(presented);
    const { scopes, allowedOrigins } = principal;
    // Restricts only pages: browsers set `Origin` for them. Other clients may omit the header.
    const { origin } = request.raw.headers;
    if (allowedOrigins !== undefined && origin !== undefined && !allowedOrigins.includes(origin)) {
      throw new OriginNotAllowedError();
    }
    if (typeof rule === 'object') {
      if (!rule.some((scope) => scopes.has(scope))) throw new InsufficientScopeError(...rule);
    } else if (rule !== 'authenticated' && rule !== 'first-party') {
      if (!scopes.has(rule)) throw new InsufficientScopeError(rule);
    } else {
      // Routes without a scope manage credentials, so an API key needs `keys:manage`. `first-party` also refuses
      // delegated credentials. ADR 18
      if (principal.kind === 'api-key' && !scopes.has('keys:manage')) throw new InsufficientScopeError('keys:manage');
      if (rule === 'first-party' && isDelegated(principal)) throw new DelegatedCredentialError();
    }
    return principal;
  }

  /** Returns 403 for a credential over plain HTTP, else 400 for one in the URL, else 400 for several. SPEC §1.3 */
  refusalFor(request: FastifyRequest, presented = this.strategies.presentedBy(request)): ApiError | null {
    const { url = '' } = request.raw;
    const inUrl = url.includes('?') && hasCredentialInUrl(url);
    const isPlain = this.config.requireHttps && request.protocol !== 'https';
    if (isPlain && (inUrl || presented.count !== 'none')) return new HttpsRequiredError();
    if (inUrl) return new CredentialInUrlError();
    return presented.count === 'several' ? this.strategies.ambiguous() : null;
  }

  private async checkUncounted(
    counted: 'by-route' | 'never',
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const refusal = this.refusalFor(request);
    const fault = refusal ?? this.config.versions.refusalFor(request.raw);
    if (fault === undefined) return;
    try {
      if (counted === 'by-route') await this.quota.count(request, reply, null);
    } catch {
      // If counting fails, the request is still refused below.
    }
    if (refusal !== null) throw refusal;
    refuseAfterGuards(request, fault);
  }
}

function isBearer(presented: Presented): boolean {
  return presented.by?.name === 'bearer';
}

function timed(onChecked: (beganAtMs: number) => void, done: (error?: Error) => void): (error?: Error) => void {
  const beganAtMs = performance.now();
  return (error) => {
    onChecked(beganAtMs);
    done(error);
  };
}
