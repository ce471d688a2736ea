import { ServerResponse } from 'node:http';

import { ApiError } from '@items/conventions';
import { sendError, thrownError, toErrorAnswer } from '@items/conventions/answer';
import { ErrorFilter, type ErrorListener } from '@items/exception-filter';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { FILTER_CATCH_EXCEPTIONS } from '@nestjs/common/constants.js';
import type { ApplicationConfig } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { sendErrorAs } from '../../request/send-error.js';
import type { EdgeAdapter } from '../edge-adapter.js';

class ApiException extends HttpException {
  constructor(error: ApiError) {
    super(bodyOf(error), error.status, { cause: error });
    this.message = error.message;
  }
}

const originals = new WeakMap<HttpException, unknown>();

/**
 * Converts an `ApiError` or `HttpException` for filters of Nest: to an `HttpException` with the body of SPEC §7. An
 * `HttpException` keeps its class. Returns other errors unchanged.
 * @param reply gets the headers of the error, because a filter may send only status and body.
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

function converted(exception: HttpException, original: unknown): HttpException {
  originals.set(exception, original);
  return exception;
}

function bodyOf(error: ApiError): object {
  return JSON.parse(toErrorAnswer(error).body) as object;
}

/**
 * Converts each `ApiError`, and each `HttpException` of a built-in route, before the global filters of the app get it.
 */
@Catch(ApiError, HttpException)
export class ConversionFilter implements ExceptionFilter {
  /** @param own controllers of the app, whose `HttpException`s are not converted. */
  constructor(
    private readonly config: ApplicationConfig,
    private readonly own: ReadonlySet<unknown>,
  ) {}

  catch(error: unknown, host: ArgumentsHost): unknown {
    const [request, reply] = host.getArgs<[FastifyRequest, FastifyReply]>();
    const isOwn = error instanceof HttpException && this.own.has(request.routeOptions.config.handledBy?.controller);
    const exception = isOwn ? error : toException(error, reply);
    // Like Nest, try the last filter first.
    const next = this.config.getGlobalFilters().findLast((filter) => filter !== this && catches(filter, exception));
    return next?.catch(exception, host) as unknown;
  }
}

function catches({ constructor }: ExceptionFilter, exception: unknown): boolean {
  const types = (Reflect.getMetadata(FILTER_CATCH_EXCEPTIONS, constructor) ?? []) as (abstract new () => unknown)[];
  return types.length === 0 || types.some((type) => exception instanceof type);
}

/** Sends the errors that no filter of the app has caught. */
@Catch()
export class ServiceErrorFilter extends ErrorFilter<FastifyRequest> {
  constructor(adapter: EdgeAdapter, onError?: ErrorListener<FastifyRequest>) {
    super(
      { getHttpAdapter: () => adapter },
      {
        send: (error, response) => {
          if (response instanceof ServerResponse) sendError(error, response);
          else {
            const reply = response as FastifyReply;
            sendErrorAs(reply.request.routeOptions.config.errorForm, error, reply);
          }
        },
        ...(onError && { onError }),
      },
    );
    adapter.onError((error, request, reply) => super.respond(error, request, reply));
  }

  override respond(...[thrown, ...where]: Parameters<ErrorFilter<FastifyRequest>['respond']>): void {
    const original = thrown instanceof HttpException ? (originals.get(thrown) ?? thrown) : thrown;
    super.respond(original, ...where);
  }
}
