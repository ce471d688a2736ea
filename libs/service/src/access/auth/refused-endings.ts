import { RateLimitedError } from '@items/conventions';
import { toErrorAnswer } from '@items/conventions/answer';
import { Quota } from '@items/throttling';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { CONFIG, type Config } from '../../runtime/config/config.js';
import { endingHolder, quotaHolder } from '../throttling/quota-holders.js';

/**
 * Counts refused requests (401, 403) to routes that end access in the usual quota, so that they do not block permitted
 * ones. SPEC §8.1
 */
@Injectable()
export class RefusedEndings {
  constructor(
    private readonly quota: Quota,
    @Inject(CONFIG) private readonly config: Pick<Config, 'rateLimit'>,
  ) {}

  follow(route: RouteOptions): void {
    const others = route.onSend ?? [];
    route.onSend = [
      ...(Array.isArray(others) ? others : [others]),
      async (request, reply, payload): Promise<unknown> => {
        const isRefused = reply.statusCode === 401 || reply.statusCode === 403;
        return isRefused ? this.recount(request, reply, payload) : payload;
      },
    ];
  }

  /** @returns The body to send: that of a 429 if the usual quota is exceeded. */
  private async recount(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
    const { principal } = request;
    const ending = principal === null ? undefined : endingHolder(principal);
    if (principal === null || ending === undefined) return payload;
    await this.quota.undo(ending);
    const state = await this.quota.count(request, reply, quotaHolder(principal, this.config.rateLimit));
    if (!state.exceeded) return payload;
    const { status, headers, body } = toErrorAnswer(new RateLimitedError(state.resetSeconds));
    reply.removeHeader('www-authenticate');
    reply.code(status).headers(headers as Record<string, string>);
    return body;
  }
}
