import { fastifyOptions, type Edge, type ServerOptions } from '@items/http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { fastify, type FastifyInstance } from 'fastify';

/**
 * Nest on a Fastify that the edge has set up. Nest's adapter adds seven hooks that ask on each request whether something
 * was switched on; all of it is the edge's here, so they are left out (6 µs a request), and who switches it on is told
 * where it is.
 */
export class EdgeAdapter extends FastifyAdapter {
  constructor(server: ServerOptions, edge: Edge) {
    const instance = fastify(fastifyOptions(server, edge) as object);
    const original = Object.getOwnPropertyDescriptor(instance, 'addHook') ?? {};
    instance.addHook = () => instance;
    super(instance as FastifyInstance);
    Object.defineProperty(instance, 'addHook', original);
  }

  /** Nest middleware is not used, and its adapter costs every request. */
  override init(): Promise<void> {
    return Promise.resolve();
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

function elsewhere(method: string, instead: string): Error {
  return new Error(`${method}() does nothing in an application of createApp(). ${instead}`);
}
