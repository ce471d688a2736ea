import type { FastifyInstance } from 'fastify';

import type { Edge } from './edge.js';
import type { EdgeHooks } from './request-hooks.js';
import { stopGracefully, type StopTimes } from './shutdown.js';

/** The methods whose bodies Fastify would read. */
const WITH_BODY = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Stops a server gracefully; after a second in which new connections are taken unless told otherwise. */
export type Stop = (times?: StopTimes) => Promise<void>;

/**
 * Gives a server that has no route as yet its request hooks.
 * @param hooks what the application has to say of requests before a route does.
 * @param backlog how much waits for the database, where there is one: requests wait in front of it then.
 * @returns a graceful stop of the server.
 */
export function installEdge(fastify: FastifyInstance, edge: Edge, hooks?: EdgeHooks, backlog?: () => number): Stop {
  const { server } = fastify;
  // Bodies are read by the handlers that want one, after the guards: this parser takes every type and reads nothing.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request, _payload, done) => {
    done(null);
  });
  // Nor does Fastify look for a parser, each time in an asynchronous context of its own.
  for (const method of WITH_BODY) fastify.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  edge.requestHooks.install(fastify, hooks);
  if (backlog !== undefined) edge.requestQueue.follow(backlog);
  return (times) => stopGracefully({ server, ...edge }, times);
}
