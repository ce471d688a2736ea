import { prepareEmitted } from './enhancers/emitted-body.js';
import { JsonText } from './json-text.js';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { frameworkError } from '@items/conventions/answer';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { inPieces } from './responses.js';

const JSON_TYPE = 'application/json; charset=utf-8';
/** As Fastify has it for a string. */
const TEXT_TYPE = 'text/plain; charset=utf-8';

/**
 * Nest on a Fastify that the edge has set up. Nest's adapter adds seven hooks that ask on each request whether something
 * was switched on; all of it is the edge's here, so they are left out (6 µs a request), and code that
 * switches it on gets an error that says where it is.
 */
export class EdgeAdapter extends FastifyAdapter {
  private respond: ErrorResponder | undefined;
  private comparesBodies = false;
  /** What `app.use()` was given. */
  private readonly middleware: unknown[][] = [];

  constructor(fastify: FastifyInstance) {
    const original = Object.getOwnPropertyDescriptor(fastify, 'addHook') ?? {};
    fastify.addHook = () => fastify;
    super(fastify);
    Object.defineProperty(fastify, 'addHook', original);
  }

  /** Nest would let middleware in here, before there are modules: it stands behind the hooks that judge requests. */
  override init(): Promise<void> {
    return Promise.resolve();
  }

  override use(...given: unknown[]): this {
    this.middleware.push(given);
    return this;
  }

  /** Called where a module has middleware: that of the whole application comes first. */
  override async createMiddlewareFactory(
    ...given: Parameters<FastifyAdapter['createMiddlewareFactory']>
  ): ReturnType<FastifyAdapter['createMiddlewareFactory']> {
    await this.addMiddleware();
    return super.createMiddlewareFactory(...given);
  }

  /** Lets in what `app.use()` was given; an application without any pays nothing for it. */
  async addMiddleware(): Promise<void> {
    if (this.middleware.length === 0) return;
    await super.init();
    for (const given of this.middleware.splice(0)) super.use(...given);
  }

  /** JSON that is known as text is sent as it stands, and a long text in pieces. */
  override reply(
    ...[response, body, status]: Parameters<FastifyAdapter['reply']>
  ): ReturnType<FastifyAdapter['reply']> {
    const value: unknown = body;
    if (this.comparesBodies && 'request' in response && !prepareEmitted(response, value, status)) {
      return super.reply(response, undefined, status);
    }
    const isText = typeof value === 'string';
    if (!(isText || value instanceof JsonText) || !('request' in response)) return super.reply(response, value, status);
    const reply = response as FastifyReply;
    if (!isText || !reply.hasHeader('content-type')) reply.header('content-type', isText ? TEXT_TYPE : JSON_TYPE);
    return super.reply(reply, inPieces(reply, isText ? value : value.text), status);
  }

  /** Compares bodies with those of the operations from now on, because interceptors may change them. */
  compareBodies(): void {
    this.comparesBodies = true;
  }

  /** Sets what responds to errors of hooks and of routes of Fastify. Nest would send them through the filters of the application. */
  onError(respond: ErrorResponder): void {
    this.respond = respond;
  }

  override setErrorHandler(
    handler: Parameters<FastifyAdapter['setErrorHandler']>[0],
  ): ReturnType<FastifyAdapter['setErrorHandler']> {
    const { respond } = this;
    if (respond === undefined) return super.setErrorHandler(handler);
    return super.setErrorHandler((error, request, reply) => {
      respond(frameworkError(error) ?? error, request, reply);
    });
  }

  override enableCors(): never {
    throw elsewhere('enableCors', 'Give createApp() an `edge: createEdge({ cors: { origins: […] } })`.');
  }

  /** What the application's enableCsrfProtection() and useSecurityHeaders() count on. */
  override registerSecurityHook(): never {
    throw elsewhere('registerSecurityHook', 'Check or set headers by a hook of Fastify, in `prepare` of createApp().');
  }

  override setOnRequestHook(): never {
    throw elsewhere('setOnRequestHook', 'Add a hook to Fastify, in `prepare` of createApp().');
  }

  override setOnResponseHook(): never {
    throw elsewhere('setOnResponseHook', 'Add a hook to Fastify, in `prepare` of createApp().');
  }
}

/** Sends the response of an error. */
type ErrorResponder = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

function elsewhere(method: string, instead: string): Error {
  return new Error(`${method}() does nothing in an application of createApp(). ${instead}`);
}
