import { HEADER, type MaybePromise, RateLimitedError } from '@items/conventions';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { ThrottlerException } from '@nestjs/throttler';
import { type CountedRequest, Quota, type QuotaHolder, type ResponseHeaders } from './quota.js';
import { routeQuotaOf } from './route-quota.js';

/**
 * Refuses excess requests with 429 and `Retry-After`, on Fastify and on Express. Obeys `@Throttle()` and
 * `@SkipThrottle()`; ignores messages other than HTTP. SPEC §8
 * @example
 * providers: [Quota, { provide: APP_GUARD, useClass: QuotaGuard }]
 */
@Injectable()
export class QuotaGuard implements CanActivate {
  constructor(@Inject(Quota) private readonly quota: Quota) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const route = routeQuotaOf(context.getClass(), context.getHandler());
    if (route?.skipsCommon === true && route.rateLimit === undefined) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<CountedRequest>();
    const response = http.getResponse<ResponseHeaders>();
    const { exceeded, resetSeconds } = await this.quota.count(request, response, await this.holderOf(request), route);
    if (!exceeded) return true;
    response.header(HEADER.retryAfter, resetSeconds);
    // Nest responds 429 to this class even without our exception filter.
    throw new ThrottlerException(new RateLimitedError(resetSeconds).message);
  }

  /**
   * Returns the holder of the valid credential; if null, the request counts for its address. Override it in an app with
   * credentials.
   */
  protected holderOf(_request: CountedRequest): MaybePromise<QuotaHolder | null> {
    return null;
  }
}
