import { sendError, toApiError } from '@items/conventions/answer';
import type { FastifyReply } from 'fastify';

import type { ErrorForm } from '../edge-options.js';

/** @param form undefined for the common format. SPEC §7 */
export function sendErrorAs(form: ErrorForm | undefined, thrown: unknown, reply: FastifyReply): void {
  if (form === undefined) sendError(thrown, reply);
  else if (!reply.sent) {
    const { status, headers, body } = form(toApiError(thrown));
    reply
      .code(status)
      .headers(headers as Record<string, string>)
      .send(body);
  }
}
