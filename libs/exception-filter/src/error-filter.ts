import type { ApiError } from '@items/errors';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';

import { toApiError, toErrorAnswer } from './to-error-answer.js';

/** As much of a Fastify reply as an error answer needs. */
export interface ErrorReply {
  readonly sent: boolean;
  code(status: number): ErrorReply;
  headers(values: Record<string, string | string[]>): ErrorReply;
  send(body: string): unknown;
}

/** Hears of every error before it is answered; `request` is the framework's own. */
export type ErrorListener<Request = unknown> = (error: ApiError, request: Request) => void;

/**
 * Answers one request with whatever was thrown while it was handled; does nothing where an answer has gone out.
 * @see SPEC §7
 */
export function sendError(thrown: unknown, reply: ErrorReply): void {
  if (reply.sent) return;
  const { status, headers, body } = toErrorAnswer(thrown);
  reply
    .code(status)
    .headers(headers as Record<string, string | string[]>)
    .send(body);
}

/**
 * The only exception filter of an application: every throw becomes the one error body.
 * @example
 * app.useGlobalFilters(new ErrorFilter((error, request) => log.error(error.cause)));
 * @see SPEC §7
 */
@Catch()
export class ErrorFilter<Request = unknown> implements ExceptionFilter {
  constructor(private readonly listener: ErrorListener<Request> = () => undefined) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const error = toApiError(thrown);
    const http = host.switchToHttp();
    this.listener(error, http.getRequest<Request>());
    sendError(error, http.getResponse<ErrorReply>());
  }
}
