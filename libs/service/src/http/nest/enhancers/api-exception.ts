import type { ApiError } from '@items/conventions';
import { toErrorAnswer } from '@items/conventions/answer';
import { HttpException } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** An error of the service as filters of Nest expect it: an `HttpException` whose response is the body of SPEC §7. */
export class ApiException extends HttpException {
  override readonly cause: ApiError;

  constructor(error: ApiError) {
    super(JSON.parse(toErrorAnswer(error).body) as object, error.status, { cause: error });
    this.message = error.message;
    this.cause = error;
  }
}

/** Sets the headers of the error on its response, so that a filter that sends only status and body keeps them. */
export function setErrorHeaders(error: ApiError, reply: FastifyReply): void {
  const { 'content-type': _type, 'content-length': _length, ...headers } = toErrorAnswer(error).headers;
  reply.headers(headers as Record<string, string>);
}
