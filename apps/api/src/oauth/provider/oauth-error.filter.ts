import type { ApiError } from '@items/errors';
import { toApiError } from '@items/exception-filter';
import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { errorLog } from '../../logging/error-log.js';
import { LOG, type Log } from '../../logging/log.js';
import { sendOauthError } from '../../http/oauth-error.js';

/** Answers what is refused before oidc-provider sees it, as it would answer. decisions §1 */
@Catch()
export class OauthErrorFilter implements ExceptionFilter {
  private readonly listener: (error: ApiError, request: FastifyRequest) => void;

  constructor(@Inject(LOG) log: Log) {
    this.listener = errorLog(log);
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const error = toApiError(thrown);
    const http = host.switchToHttp();
    this.listener(error, http.getRequest<FastifyRequest>());
    sendOauthError(error, http.getResponse<FastifyReply>());
  }
}
