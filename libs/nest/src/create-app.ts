import { ErrorFilter, type ErrorListener } from '@items/exception-filter';
import {
  createEdge,
  installEdge,
  sendErrorText,
  type Edge,
  type ServerOptions,
  type Stop,
  type WarmUpOptions,
} from '@items/http';
import type { DynamicModule, LoggerService, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { compileRoutes } from './compile-routes.js';
import { EdgeAdapter } from './edge-adapter.js';
import { ServedModule } from './served.module.js';
import type { StageListener } from './timed-stages.js';

/** What an application decides about how it is served; all of it may be left out. */
export interface AppOptions {
  /** TLS, and the proxies in front. */
  readonly server?: ServerOptions;
  /** What stands between the socket and Nest; one without CORS, a version or a log where it is left out. */
  readonly edge?: Edge;
  /**
   * Who makes a request, such as the id of their user: an `Idempotency-Key` is theirs. `'everybody'`, and where it is left
   * out, all callers share their keys. Needed where guards stand before a write. SPEC §4.4
   */
  readonly callerIdOf?: ((request: FastifyRequest) => string) | 'everybody';
  /** Hears of each error before it is answered; Nest's logger where it is left out. */
  readonly onError?: ErrorListener<FastifyRequest>;
  /** Hears how long the guards of a request took, and its body; where it is left out, nothing is timed. */
  readonly onStage?: StageListener | undefined;
  readonly logger?: LoggerService | false;
  /** Called before there is any route, for what requests carry. */
  readonly prepare?: (fastify: FastifyInstance) => void;
}

/** An application that is ready to listen. */
export interface ServedApp {
  readonly app: NestFastifyApplication;
  /** Answers what is under way, then closes everything, the database last. */
  readonly stop: Stop;
  /**
   * Answers requests of its own for a time, so that the first of others are not slow. Called after `app.init()` and before
   * the application listens. They only read, and stand in no log. @returns how many were
   * answered 200.
   */
  readonly warmUp: (options: WarmUpOptions) => Promise<number>;
}

/**
 * An application of Nest on Fastify by the conventions: one form of errors, 404, 405 and OPTIONS from the routes
 * themselves, bodies that are read after the guards, limits, and a graceful stop. What the root module exports under
 * {@link EDGE_HOOKS} is asked about requests that no route takes. It refuses to start with what would go wrong in silence.
 * @example
 * const { app, stop } = await createApp(BooksModule);
 * await app.listen(3000);
 */
export async function createApp(root: Type | DynamicModule, options: AppOptions = {}): Promise<ServedApp> {
  const { server = {}, edge = createEdge(), callerIdOf, onError, onStage, logger, prepare } = options;
  const app = await NestFactory.create<NestFastifyApplication>(
    ServedModule.forRoot(root, callerIdOf !== undefined),
    new EdgeAdapter(server, edge),
    {
      bodyParser: false,
      abortOnError: false,
      ...(logger !== undefined && { logger }),
    },
  );
  const fastify = app.getHttpAdapter().getInstance();
  fastify.decorateRequest('callerId', {
    getter() {
      return typeof callerIdOf === 'function' ? callerIdOf(this) : '';
    },
  });
  prepare?.(fastify);
  const filter = new ErrorFilter(app, {
    send: (error, response) => {
      sendErrorText(error, response as FastifyReply);
    },
    ...(onError && { onError }),
  });
  app.useGlobalFilters(filter);
  const { edgeHooks, database } = app.get(ServedModule);
  const stopServing = installEdge(fastify, edge, edgeHooks, database && (() => database.backlog()));
  compileRoutes(app, filter, onStage);
  return {
    app,
    warmUp: async (options) => {
      await fastify.ready();
      return edge.warmUp.run(fastify.server, options);
    },
    stop: async (times) => {
      await stopServing(times);
      await app.close();
    },
  };
}
