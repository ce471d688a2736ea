import { createHash } from 'node:crypto';

import type { ErrorListener } from '@items/exception-filter';
import { createEdge, type Edge } from '../edge/edge.js';
import { fastifyOptions } from '../edge/fastify-options.js';
import { installEdge, type Stop } from '../edge/install-edge.js';
import type { ServerOptions } from '../edge/server.js';
import type { WarmUpOptions } from '../edge/warm-up.js';
import type { Origin } from '../../data/database/origin.js';
import type { DynamicModule, LoggerService, NestApplicationOptions, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify';

import { EdgeAdapter } from './edge-adapter.js';
import { noteWrites } from './note-writes.js';
import { ServedModule } from './served.module.js';

/** What an application decides about how it is served; all of it may be left out. */
export interface AppOptions {
  /** TLS, and the proxies in front. */
  readonly server?: ServerOptions;
  /** What stands between the socket and Nest; one without CORS, a version or a log where it is left out. */
  readonly edge?: Edge;
  /**
   * Who makes a request, such as the id of their user: an `Idempotency-Key` is theirs. Where it is left out, a key belongs to
   * the credential that the request shows (`Authorization`, `X-API-Key`, `Cookie`): say it where callers are distinguished by
   * something else, or have several credentials. `'everybody'`: all callers share their keys. SPEC §4.4
   */
  readonly callerIdOf?: ((request: FastifyRequest) => string) | 'everybody';
  /** Who makes the changes that a request asks for; the service itself where it is left out. */
  readonly originOf?: ((request: FastifyRequest) => Origin) | undefined;
  /** Called for each error before its response; Nest's logger where it is left out. */
  readonly onError?: ErrorListener<FastifyRequest>;
  /** Called when the body of a request was read, for traces. @param beganAtMs on the clock of `performance`. */
  readonly onBodyRead?: ((beganAtMs: number) => void) | undefined;
  readonly logger?: LoggerService | false;
  /** Makes the application of Nest from its root module; default: `NestFactory`. */
  readonly create?: CreateApplication | undefined;
  /** Called before there is any route, for what requests carry. */
  readonly prepare?: (fastify: FastifyInstance) => void;
}

/** Makes an application of Nest, as `NestFactory.create()` does. */
export type CreateApplication = (
  root: DynamicModule,
  adapter: EdgeAdapter,
  options: NestApplicationOptions,
) => Promise<NestFastifyApplication>;

const byFactory: CreateApplication = (root, adapter, options) =>
  NestFactory.create<NestFastifyApplication>(root, adapter, options);

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
 * themselves, limits, and a graceful stop. Controllers are served by Nest as anywhere. What the root module exports under
 * `EDGE_HOOKS` is asked about requests that no route takes. It refuses to start with what would go wrong in silence.
 * @example
 * const { app, stop } = await createApp(BooksModule);
 * await app.listen(3000);
 */
export async function createApp(root: Type | DynamicModule, options: AppOptions = {}): Promise<ServedApp> {
  const { server = {}, edge = createEdge(), callerIdOf, onError, onBodyRead, logger, prepare } = options;
  const { originOf, create = byFactory } = options;
  const instance = fastify(fastifyOptions(server, edge) as object) as FastifyInstance;
  instance.decorateRequest('callerId', {
    getter() {
      return callerIdOf === 'everybody' ? '' : (callerIdOf ?? shownCredential)(this);
    },
  });
  instance.decorateRequest('origin', {
    getter() {
      return originOf?.(this);
    },
  });
  instance.decorateRequest('onBodyRead', onBodyRead ?? null);
  prepare?.(instance);
  const stopServing = installEdge(instance, edge);
  const adapter = new EdgeAdapter(instance);
  const app = await create(ServedModule.forRoot(root, onError), adapter, {
    bodyParser: false,
    abortOnError: false,
    ...(logger !== undefined && { logger }),
  });
  const { edgeHooks, database, replicas } = app.get(ServedModule);
  if (replicas) noteWrites(instance, replicas);
  if (edgeHooks !== undefined) edge.requestHooks.follow(edgeHooks);
  if (database !== undefined) edge.requestQueue.follow(database);
  return {
    app,
    warmUp: async (options) => {
      await instance.ready();
      return edge.warmUp.run(instance.server, options);
    },
    stop: async (times) => {
      await stopServing(times);
      await app.close();
    },
  };
}

/** Whose an `Idempotency-Key` is where the application does not say: it belongs to the credential that the request shows. */
function shownCredential({ raw: { headers } }: FastifyRequest): string {
  const shown = [headers.authorization, headers['x-api-key'], headers.cookie];
  if (shown.every((header) => header === undefined)) return '';
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url');
}
