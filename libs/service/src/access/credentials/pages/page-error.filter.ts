import { toApiError } from '@items/conventions/answer';
import { errorLog } from '../../../runtime/logging/error-log.js';
import { type Log, LOG } from '../../../runtime/logging/log.js';
import { pageHeaders } from '../../../http/pages/page-headers.js';
import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors } from 'oidc-provider';
import { apiErrorPage, errorPage } from './error-page.js';

@Catch()
export class PageErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOG) private readonly log: Log) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    if (thrown instanceof errors.OIDCProviderError) {
      show(reply, thrown.statusCode, errorPage(thrown));
      return;
    }
    const error = toApiError(thrown);
    errorLog(this.log)(error, http.getRequest<FastifyRequest>());
    reply.headers(error.headers as Record<string, string>);
    show(reply, error.status, apiErrorPage(error));
  }
}

function show(reply: FastifyReply, status: number, page: string): void {
  if (reply.sent) return;
  reply.code(status).headers(pageHeaders()).send(page);
}
