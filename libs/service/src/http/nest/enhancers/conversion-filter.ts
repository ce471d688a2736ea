import { ApiError } from '@items/conventions';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { FILTER_CATCH_EXCEPTIONS } from '@nestjs/common/constants.js';
import type { ApplicationConfig } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { toException } from './api-exception.js';

/** Converts errors of built-in routes, also those of guards, before the global filters of the application get them. */
@Catch(ApiError, HttpException)
export class ConversionFilter implements ExceptionFilter {
  /** @param own controllers of the application. Their `HttpException`s stay as they are. */
  constructor(
    private readonly config: ApplicationConfig,
    private readonly own: ReadonlySet<unknown>,
  ) {}

  catch(error: unknown, host: ArgumentsHost): unknown {
    const [request, reply] = host.getArgs<[FastifyRequest, FastifyReply]>();
    const isOwn = error instanceof HttpException && this.own.has(request.routeOptions.config.handledBy?.controller);
    const exception = isOwn ? error : toException(error, reply);
    // Nest tries the last filter first.
    const next = this.config.getGlobalFilters().findLast((filter) => filter !== this && catches(filter, exception));
    return next?.catch(exception, host) as unknown;
  }
}

function catches({ constructor }: ExceptionFilter, exception: unknown): boolean {
  const types = (Reflect.getMetadata(FILTER_CATCH_EXCEPTIONS, constructor) ?? []) as (abstract new () => unknown)[];
  return types.length === 0 || types.some((type) => exception instanceof type);
}
