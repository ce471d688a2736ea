import { ErrorFilter, type ErrorListener } from '@items/exception-filter';
import { Catch } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { sendErrorText } from '../../request/send-error-text.js';
import type { EdgeAdapter } from '../edge-adapter.js';
import { originalOf } from './api-exception.js';

@Catch()
export class ServiceErrorFilter extends ErrorFilter<FastifyRequest> {
  constructor(adapter: EdgeAdapter, onError?: ErrorListener<FastifyRequest>) {
    super(
      { getHttpAdapter: () => adapter },
      {
        send: (error, response) => {
          sendErrorText(error, response as FastifyReply);
        },
        ...(onError && { onError }),
      },
    );
    adapter.onError((error, request, reply) => {
      super.respond(error, request, reply);
    });
  }

  override respond(...[thrown, ...where]: Parameters<ErrorFilter<FastifyRequest>['respond']>): void {
    super.respond(originalOf(thrown), ...where);
  }
}
