import { type ApiError, MethodNotAllowedError } from '@items/conventions';
import { type ErrorReply, frameworkError, type RawResponse, sendError, thrownError } from '@items/conventions/answer';
import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import { allowAt, type HttpAdapterLike, type RouteMethods, routeMethodsOf } from './served-methods.js';
import { catchStreamErrors } from './failing-streams.js';

/** `originalUrl` of Express still has the prefix of a mounted path. */
interface TargetOfRequest {
  readonly originalUrl?: string;
  readonly url: string;
  readonly method: string;
}

export type ErrorListener<Request = unknown> = (error: ApiError, request: Request) => void;

/** A Nest application on Express or on Fastify, of any version that has `getHttpAdapter`. */
export interface HttpApp {
  getHttpAdapter(): object;
}

export interface ErrorFilterOptions<Request> {
  /** Default: Nest's `Logger`, with the stack. */
  readonly onError?: ErrorListener<Request>;
  readonly send?: (error: ApiError, response: ErrorReply | RawResponse) => void;
}

/**
 * The only exception filter of an application, on Express and on Fastify. An `HttpException` keeps its status and
 * sentence; an unknown error is 500 with a fixed sentence, and its stack goes to the log. A path that has handlers for
 * other methods is 405 with `Allow`. Create it before the application listens: on Fastify it observes the routes.
 * @see SPEC §7
 * @example
 * app.useGlobalFilters(new ErrorFilter(app));
 */
@Catch()
export class ErrorFilter<Request = unknown> implements ExceptionFilter {
  private readonly methodsAt: RouteMethods;
  private readonly onError: ErrorListener<Request>;
  private readonly send: (error: ApiError, response: ErrorReply | RawResponse) => void;

  constructor(app: HttpApp, { onError = logFault, send = sendError }: ErrorFilterOptions<Request> = {}) {
    const adapter = app.getHttpAdapter() as HttpAdapterLike;
    this.methodsAt = routeMethodsOf(adapter);
    this.onError = onError;
    this.send = send;
    keepFrameworkErrors(adapter);
    catchStreamErrors(adapter, (thrown, response) => {
      this.respond(thrown, response.req as Request, response as unknown as RawResponse);
    });
  }

  /** @throws the error itself if the context is not HTTP: sockets have a filter of their own. */
  catch(thrown: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw thrown;
    this.respond(thrown, ...host.getArgs<[Request, ErrorReply | RawResponse]>());
  }

  /** Call it for an error thrown outside of Nest, such as by a hook of Fastify. */
  respond(thrown: unknown, request: Request, response: ErrorReply | RawResponse): void {
    const error = this.allowed(thrownError(thrown), request);
    if (error.status >= 500) this.onError(error, request);
    this.send(error, response);
  }

  /** Nest answers 404 to a method without a handler. The router knows whether the path has others. */
  private allowed(error: ApiError, request: unknown): ApiError {
    if (error.code !== 'route_not_found') return error;
    const { originalUrl, url, method } = request as TargetOfRequest;
    const allow = allowAt(originalUrl ?? url, this.methodsAt);
    const served = allow?.split(', ').includes(method);
    return allow === undefined || served === true ? error : new MethodNotAllowedError(allow);
  }
}

/** Nest wraps errors of the framework in exceptions without their code. This handler passes them on unchanged. */
function keepFrameworkErrors(adapter: HttpAdapterLike): void {
  const setErrorHandler = adapter.setErrorHandler?.bind(adapter);
  if (setErrorHandler === undefined) return;
  adapter.setErrorHandler = (handle, prefix) =>
    setErrorHandler(
      (error, request, response, next) => handle(frameworkError(error) ?? error, request, response, next),
      prefix,
    );
}

function logFault(error: ApiError): void {
  const cause = error.cause instanceof Error ? error.cause : new Error(error.message, { cause: error.cause });
  new Logger('ErrorFilter').error(cause.message, cause.stack);
}
