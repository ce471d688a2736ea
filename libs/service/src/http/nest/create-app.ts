import { createHash } from 'node:crypto';

import type { ErrorListener } from '@items/exception-filter';
import { createEdge, type Edge, installEdge, type Stop } from '../edge/edge.js';
import { fastifyOptions, type ServerOptions } from '../edge/server.js';
import type { WarmUpOptions } from '../edge/warm-up.js';
import type { Origin } from '../../data/database/origin.js';
import type { DynamicModule, LoggerService, NestApplicationOptions, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify';

import { EdgeAdapter } from './edge-adapter.js';
import { PluginGuards } from './enhancers/plugin-guards.js';
import { recordPositions } from './record-positions.js';
import { ServedModule } from './served.module.js';

export interface AppOptions {
  readonly server?: ServerOptions;
  /** Default: an edge without CORS, version and log. */
  readonly edge?: Edge;
  /**
   * Returns the owner of an `Idempotency-Key`, such as the user id. By default a key belongs to the credential in
   * `Authorization`, `X-API-Key` or `Cookie`. Set this if something else identifies callers, or if a caller has several
   * credentials. `'everybody'`: all callers share their keys. SPEC §4.4
   */
  readonly callerIdOf?: ((request: FastifyRequest) => string) | 'everybody';
  /** Returns the author of changes. Default: the service itself. */
  readonly originOf?: ((request: FastifyRequest) => Origin) | undefined;
  /** Called with each error, before the response. Default: the logger of Nest. */
  readonly onError?: ErrorListener<FastifyRequest>;
  /** Called for tracing. @param beganAtMs start of reading the body, by the `performance` clock. */
  readonly onBodyRead?: ((beganAtMs: number) => void) | undefined;
  readonly logger?: LoggerService | false;
  readonly create?: CreateApplication | undefined;
  /** Called before routes are added, to decorate requests. */
  readonly prepare?: (fastify: FastifyInstance) => void;
}

export type CreateApplication = (
  root: DynamicModule,
  adapter: EdgeAdapter,
  options: NestApplicationOptions,
) => Promise<NestFastifyApplication>;

const byFactory: CreateApplication = (root, adapter, options) =>
  NestFactory.create<NestFastifyApplication>(root, adapter, options);

export interface ServedApp {
  readonly app: NestFastifyApplication;
  /** Completes the running requests, then closes everything, the database last. */
  readonly stop: Stop;
  /**
   * Sends requests to the app, so that the first requests of clients are fast. Call it after `app.init()` and before
   * the app listens.
   * @returns the number of responses with status 200.
   */
  readonly warmUp: (options: WarmUpOptions) => Promise<number>;
}

/**
 * Creates a Nest application on Fastify that follows the conventions: one error format, 404, 405 and OPTIONS derived
 * from the routes, limits, and a graceful stop. Nest serves ordinary controllers as usual. The root module may export
 * `EDGE_HOOKS`. A configuration that would silently fail stops the start.
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
      return callerIdOf === 'everybody' ? '' : (callerIdOf ?? credentialHash)(this);
    },
  });
  instance.decorateRequest('origin', {
    getter() {
      return originOf?.(this);
    },
  });
  instance.decorateRequest('onBodyRead', onBodyRead ?? null);
  instance.decorateRequest('faultAfterGuards', null);
  prepare?.(instance);
  const pluginGuards = new PluginGuards(instance);
  edge.upgrades.guard = (request, reply) => pluginGuards.admitUpgrade(request, reply);
  const stopServing = installEdge(instance, edge);
  const adapter = new EdgeAdapter(instance);
  const app = await create(ServedModule.forRoot(root, pluginGuards, onError), adapter, {
    bodyParser: false,
    abortOnError: false,
    ...(logger !== undefined && { logger }),
  });
  const { edgeHooks, database, standbys } = app.get(ServedModule);
  if (standbys) recordPositions(instance, standbys);
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

function credentialHash({ raw: { headers } }: FastifyRequest): string {
  const credentials = [headers.authorization, headers['x-api-key'], headers.cookie];
  if (credentials.every((header) => header === undefined)) return '';
  return createHash('sha256').update(JSON.stringify(credentials)).digest('base64url');
}
