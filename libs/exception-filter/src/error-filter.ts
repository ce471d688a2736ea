import { type ApiError, MethodNotAllowedError } from '@items/conventions';
import { type ErrorReply, frameworkError, type RawResponse, sendError, thrownError } from '@items/conventions/answer';
import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import { allowAt, type HttpAdapterLike, type RouteMethods, routeMethodsOf } from './served-methods.js';
import { catchStreamErrors } from './failing-streams.js';

/** In a mounted router of Express, `url` lacks the prefix, but `originalUrl` has it. */
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
 * Filter for all errors of a Nest application, on Express or Fastify. An `HttpException` keeps its status and sentence;
 * an unknown error is 500 with a fixed sentence, and its stack goes to the log. A path with handlers only for other
 * methods is 405 with `Allow`. Create the filter before the application listens: on Fastify it records the routes as
 * they are added.
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

  /** @throws the same error if the context is not HTTP: WebSockets need other filters. */
  catch(thrown: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw thrown;
    this.respond(thrown, ...host.getArgs<[Request, ErrorReply | RawResponse]>());
  }

  /** Sends an error response. Call it for an error outside Nest, such as in a hook of Fastify. */
  respond(thrown: unknown, request: Request, response: ErrorReply | RawResponse): void {
    const error = this.allowed(thrownError(thrown), request);
    if (error.status >= 500) this.onError(error, request);
    this.send(error, response);
  }

  /** Converts Nest's 404 for a method without a handler to 405, if the path has handlers for other methods. */
  private allowed(error: ApiError, request: unknown): ApiError {
    if (error.code !== 'route_not_found') return error;
    const { originalUrl, url, method } = request as TargetOfRequest;
    const allow = allowAt(originalUrl ?? url, this.methodsAt);
    const served = allow?.split(', ').includes(method);
    return allow === undefined || served === true ? error : new MethodNotAllowedError(allow);
  }
}

/** Converts errors of Express or Fastify before Nest wraps them in exceptions without their code. */
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
