import { HEADER } from '@items/conventions';
import { toApiError } from '@items/conventions/answer';
import { oauthErrorAnswer } from '../../../http/request/oauth-error.js';
import { sendErrorAs } from '../../../http/request/send-error.js';
import { errorLog } from '../../../runtime/logging/error-log.js';
import { type Log, LOG } from '../../../runtime/logging/log.js';
import { Quota } from '@items/throttling';
import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Formats errors that occur before oidc-provider gets the request, in oidc-provider's format. SPEC §1.4 */
@Catch()
export class OauthErrorFilter implements ExceptionFilter {
  constructor(
    @Inject(LOG) private readonly log: Log,
    private readonly quota: Quota,
  ) {}

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const error = toApiError(thrown);
    const [request, reply] = host.getArgs<[FastifyRequest, FastifyReply]>();
    errorLog(this.log)(error, request);
    // Before client authentication, errors count for the address. SPEC §8.1
    if (!reply.hasHeader(HEADER.rateLimitLimit)) await this.count(request, reply);
    sendErrorAs(oauthErrorAnswer, error, reply);
  }

  private async count(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      await this.quota.count(request, reply, null);
    } catch {
      // If counting fails, the error response has no quota headers.
    }
  }
}
