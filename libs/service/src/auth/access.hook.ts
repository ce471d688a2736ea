import { type ApiError, isPromise, type MaybePromise, RateLimitedError, thenMaybe } from '@items/conventions';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { CONFIG, type Config } from '../config/config.js';
import { Admission } from './admission.js';
import type { AdmissionResult } from './admission-result.js';
import { AUTH_OPTIONS, type AuthOptions } from './auth-options.js';
import { Owner, requireAdmin } from './ownership.js';
import { principalOf } from '../principal/request-principal.js';
import { requireAccess } from './require-access.js';
import type { RouteAccess } from './route-access.js';

/**
 * The one judgement of every route, as a hook of Fastify: before the body is read, and before Nest has the request. It
 * goes by the order of SPEC §1.3: what every route refuses, 401 or 429, 403, and the version.
 */
@Injectable()
export class AccessHook {
  constructor(
    private readonly admission: Admission,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(AUTH_OPTIONS) private readonly options: AuthOptions,
  ) {}

  /** @param fastify has no route as yet: one that says nothing of its access stops the start. */
  install(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ method, url, config }) => {
      if (config?.access === undefined) {
        throw new Error(
          `${String(method)} ${url} declares no access rule: give it one, as @RequireScope() or @Public(), or \`config: { access }\`.`,
        );
      }
    });
    fastify.addHook('onRequest', (request, reply, done) => {
      const beganAtMs = this.options.onJudged === undefined ? 0 : performance.now();
      const end = (error?: Error): void => {
        this.options.onJudged?.(beganAtMs);
        done(error);
      };
      const { access } = request.routeOptions.config;
      if (request.is404) done();
      else if (access === undefined) done(new Error('A route without an access rule was added after the start.'));
      else {
        try {
          const judged = this.judge(access, request, reply);
          if (isPromise(judged)) judged.then(() => end(), end);
          else end();
        } catch (error) {
          end(error as Error);
        }
      }
    });
  }

  private judge(access: RouteAccess, request: FastifyRequest, reply: FastifyReply): MaybePromise<void> {
    if (access.counted === 'by-hook') {
      return thenMaybe(this.admission.admit(request, reply, access.quota), (result) => {
        this.judgeCaller(access, request, result);
      });
    }
    const refusal = this.admission.refusalFor(request) ?? this.config.versions.refusalFor(request.raw) ?? null;
    if (refusal === null) return undefined;
    if (access.counted === 'never') throw refusal;
    return this.countRefused(refusal, request, reply);
  }

  private judgeCaller({ rule, reachedBy }: RouteAccess, request: FastifyRequest, result: AdmissionResult): void {
    if (result.refusal !== null) throw result.refusal;
    if (result.failure !== null && rule !== 'public') throw result.failure;
    if (result.quota.exceeded) throw new RateLimitedError(result.quota.resetSeconds);
    if (rule !== 'public') requireAccess(rule, request, result, this.config);
    const refusal = this.config.versions.refusalFor(request.raw);
    if (refusal !== undefined) throw refusal;
    if (reachedBy === 'admin') requireAdmin(principalOf(request));
    else if (reachedBy !== undefined) {
      const { [reachedBy.owner]: name = '' } = request.params as Readonly<Record<string, string>>;
      request.owner = Owner.named(name, principalOf(request));
    }
  }

  /** Where it cannot be counted, for want of Redis say, it is refused all the same. */
  private async countRefused(refusal: ApiError, request: FastifyRequest, reply: FastifyReply): Promise<never> {
    await this.admission.countAddress(request, reply).catch(() => undefined);
    throw refusal;
  }
}
