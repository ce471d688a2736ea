import { ApiError } from '@items/conventions';
import { thrownError, toErrorAnswer } from '@items/conventions/answer';
import { HttpException } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

class ApiException extends HttpException {
  constructor(error: ApiError) {
    super(bodyOf(error), error.status, { cause: error });
    this.message = error.message;
  }
}

const originals = new WeakMap<HttpException, unknown>();

/**
 * Returns an error as filters of Nest expect it: an `HttpException` whose response is the body of SPEC §7. An
 * `HttpException` keeps its class. Errors of other classes are returned unchanged.
 * @param reply gets the headers of the error, so that a filter that sends only status and body keeps them.
 */
export function toException(error: unknown, reply: FastifyReply): unknown {
  if (error instanceof ApiError) {
    const { 'content-type': _type, 'content-length': _length, ...headers } = toErrorAnswer(error).headers;
    reply.headers(headers as Record<string, string>);
    return converted(new ApiException(error), error);
  }
  if (!(error instanceof HttpException) || originals.has(error)) return error;
  const body = bodyOf(thrownError(error));
  return converted(Object.create(error, { getResponse: { value: () => body } }) as HttpException, error);
}

/** Undoes {@link toException}, if it converted the error. */
export function originalOf(error: unknown): unknown {
  return error instanceof HttpException ? (originals.get(error) ?? error) : error;
}

function converted(exception: HttpException, original: unknown): HttpException {
  originals.set(exception, original);
  return exception;
}

function bodyOf(error: ApiError): object {
  return JSON.parse(toErrorAnswer(error).body) as object;
}
