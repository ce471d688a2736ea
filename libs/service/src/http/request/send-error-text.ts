import { ServerResponse } from 'node:http';

import { type RawResponse, sendError, toApiError } from '@items/conventions/answer';
import type { FastifyReply } from 'fastify';

import type {} from '../edge-options.js';

/** Uses the error format of the route, if it has one. SPEC §7 */
export function sendErrorText(thrown: unknown, response: FastifyReply | RawResponse): void {
  if (response instanceof ServerResponse) {
    sendError(thrown, response);
    return;
  }
  const reply = response as FastifyReply;
  const { errorForm } = reply.request.routeOptions.config;
  if (errorForm === undefined) sendError(thrown, reply);
  else if (!reply.sent) {
    const { status, headers, body } = errorForm(toApiError(thrown));
    reply
      .code(status)
      .headers(headers as Record<string, string>)
      .send(body);
  }
}
