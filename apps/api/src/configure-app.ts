import { ErrorFilter } from '@items/exception-filter';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { RawServerDefault } from 'fastify';

import type { Config } from './config/config.js';
import { Connections } from './http/connections.js';
import type { Edge } from './http/edge.js';
import { fastifyOptions } from './http/fastify-options.js';
import type { Gate } from './http/front-door.js';
import { type STOP_TIMES, stopGracefully } from './http/shutdown.js';
import { receiveUnusualRequests } from './http/unusual-requests.js';
import { errorLog } from './logging/error-log.js';
import type { Log } from './logging/log.js';

/** Stops a server gracefully; {@link STOP_TIMES} unless told otherwise. */
export type Stop = (times?: typeof STOP_TIMES) => Promise<void>;

/** The server under Nest, with its limits; the same for production and tests. */
export function createAdapter(config: Config, edge: Edge): FastifyAdapter {
  return new FastifyAdapter<RawServerDefault>(fastifyOptions(config, edge));
}

/**
 * Gives an application that has no route as yet its front door, error answers and limits.
 * @returns a graceful stop of its server.
 */
export function configureApp(app: NestFastifyApplication, edge: Edge, log: Log, gate: Gate): Stop {
  const fastify = app.getHttpAdapter().getInstance();
  const { server } = fastify;
  // Bodies are read by @JsonBody() alone, after the guards: this parser takes every type and reads nothing.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request, _payload, done) => {
    done(null);
  });
  fastify.decorateRequest('principal', null);
  edge.frontDoor.install(fastify, gate);
  app.useGlobalFilters(new ErrorFilter(errorLog(log)));
  // All headers count: what is beyond Node's default of 2000 would be ignored in silence.
  server.maxHeadersCount = 0;
  receiveUnusualRequests(server);
  const connections = new Connections(server, edge.clientErrors);
  return (times) => stopGracefully({ server, connections, ...edge }, times);
}
