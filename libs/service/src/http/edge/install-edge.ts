import type { FastifyInstance } from 'fastify';

import type {} from '../base-path.js';
import type { Edge } from './edge.js';
import { installBodyParser } from '../body/read-body.js';
import { stopGracefully, type StopTimes } from '../connections/shutdown.js';

export type Stop = (times?: StopTimes) => Promise<void>;

/** @returns a graceful stop; by default, it accepts connections for another second. */
export function installEdge(fastify: FastifyInstance, edge: Edge): Stop {
  const { server } = fastify;
  fastify.decorate('basePath', edge.basePath);
  installBodyParser(fastify);
  edge.requestHooks.install(fastify);
  // Nest has closed its gateways by then. The server would wait for the others.
  fastify.addHook('preClose', (done) => {
    edge.upgrades.cut();
    done();
  });
  return (times) => stopGracefully({ server, ...edge }, times);
}
