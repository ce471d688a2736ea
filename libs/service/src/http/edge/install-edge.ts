import type { FastifyInstance } from 'fastify';

import type {} from '../base-path.js';
import type { Edge } from './edge.js';
import { installBodyParser } from '../body/read-body.js';
import { stopGracefully, type StopTimes } from '../connections/shutdown.js';

/** Stops a server gracefully; after a second in which new connections are taken unless told otherwise. */
export type Stop = (times?: StopTimes) => Promise<void>;

/**
 * Gives a server that has no route as yet its request hooks, and its parser of bodies.
 * @returns a graceful stop of the server.
 */
export function installEdge(fastify: FastifyInstance, edge: Edge): Stop {
  const { server } = fastify;
  fastify.decorate('basePath', edge.basePath);
  installBodyParser(fastify);
  edge.requestHooks.install(fastify);
  return (times) => stopGracefully({ server, ...edge }, times);
}
