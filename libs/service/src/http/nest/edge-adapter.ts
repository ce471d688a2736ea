import { StartRefusedError } from '../../data/definition/start-refused.js';
import { prepareEmitted } from './enhancers/emitted-body.js';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { frameworkError } from '@items/conventions/answer';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { throwFaultAfterGuards } from './fault-after-guards.js';
import { inPieces, JSON_TYPE, JsonText } from './responses.js';

const HOOK = 'add a hook to Fastify in the option configure of startService().';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/**
 * The Nest adapter for the Fastify instance of the edge. The default adapter adds seven hooks that check on each
 * request if a feature is switched on. The edge provides these features, so this adapter drops the hooks, which saves 6
 * µs per request. Code that switches such a feature on gets an error that names the replacement.
 */
export class EdgeAdapter extends FastifyAdapter {
  private respond: ErrorResponder | undefined;
  private comparesBodies = false;
  private prepareRoutes: (() => void) | undefined;
  private readonly middleware: unknown[][] = [];

  constructor(fastify: FastifyInstance) {
    const original = Object.getOwnPropertyDescriptor(fastify, 'addHook') ?? {};
    fastify.addHook = () => fastify;
    super(fastify);
    Object.defineProperty(fastify, 'addHook', original);
  }

  /**
   * Does nothing: Nest would add middleware before the modules exist. {@link addMiddleware} adds it after the hooks
   * that check requests.
   */
  override init(): Promise<void> {
    return Promise.resolve();
  }

  override use(...given: unknown[]): this {
    this.middleware.push(given);
    return this;
  }

  /** Nest calls this method if a module has middleware. Middleware of the whole app is added first. */
  override async createMiddlewareFactory(
    ...given: Parameters<FastifyAdapter['createMiddlewareFactory']>
  ): ReturnType<FastifyAdapter['createMiddlewareFactory']> {
    await this.addMiddleware();
    return super.createMiddlewareFactory(...given);
  }

  /** Without middleware, adds no plugin, because the plugin takes time on each request. */
  async addMiddleware(): Promise<void> {
    if (this.middleware.length === 0) return;
    await super.init();
    for (const given of this.middleware.splice(0)) super.use(...given);
  }

  /** Sets a function that runs synchronously before Nest reads the metadata of controllers and adds their routes. */
  beforeRoutes(prepare: () => void): void {
    this.prepareRoutes = prepare;
  }

  /** Nest calls this method immediately before it adds the routes of controllers. */
  override isRouteOrderSensitive(): boolean {
    this.prepareRoutes?.();
    return super.isRouteOrderSensitive();
  }

  /** Nest sets the status after the guards and before everything else, so throw the deferred fault here. */
  override status(...[response, status]: Parameters<FastifyAdapter['status']>): ReturnType<FastifyAdapter['status']> {
    if ('request' in response) throwFaultAfterGuards(response.request);
    return super.status(response, status);
  }

  override reply(
    ...[response, body, status]: Parameters<FastifyAdapter['reply']>
  ): ReturnType<FastifyAdapter['reply']> {
    const value: unknown = body;
    if (this.comparesBodies && 'request' in response && !prepareEmitted(response, value, status))
      return super.reply(response, undefined, status);
    const isText = typeof value === 'string';
    if (!(isText || value instanceof JsonText) || !('request' in response)) return super.reply(response, value, status);
    const reply = response as FastifyReply;
    if (!isText || !reply.hasHeader('content-type')) reply.header('content-type', isText ? TEXT_TYPE : JSON_TYPE);
    return super.reply(reply, inPieces(reply, isText ? value : value.text), status);
  }

  /** Makes {@link reply} remove the `ETag` of bodies that interceptors have changed. */
  compareBodies(): void {
    this.comparesBodies = true;
  }

  /**
   * Sets the function that responds to errors of Fastify hooks and routes. By default, Nest would run the filters of
   * the app for these errors.
   */
  onError(respond: ErrorResponder): void {
    this.respond = respond;
  }

  override setErrorHandler(
    handler: Parameters<FastifyAdapter['setErrorHandler']>[0],
  ): ReturnType<FastifyAdapter['setErrorHandler']> {
    const { respond } = this;
    if (respond === undefined) return super.setErrorHandler(handler);
    return super.setErrorHandler((error, request, reply) => respond(frameworkError(error) ?? error, request, reply));
  }

  override enableCors(): never {
    throw elsewhere('enableCors', 'set CORS_ORIGINS.');
  }

  /** Nest calls this method for `enableCsrfProtection()` and `useSecurityHeaders()`. */
  override registerSecurityHook(): never {
    throw elsewhere('registerSecurityHook', HOOK);
  }

  override setOnRequestHook(): never {
    throw elsewhere('setOnRequestHook', HOOK);
  }

  override setOnResponseHook(): never {
    throw elsewhere('setOnResponseHook', HOOK);
  }
}

type ErrorResponder = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

function elsewhere(method: string, instead: string): StartRefusedError {
  return new StartRefusedError(`${method}() would do nothing: ${instead}`);
}
