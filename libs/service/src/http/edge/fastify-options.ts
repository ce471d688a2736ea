import type { RequestListener } from 'node:http';
import type { ServerOptions as HttpsOptions } from 'node:https';

import type { FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';

import type { Edge } from './edge.js';
import { proxiesAmong } from '../connections/proxies.js';
import { MAX_HEADER_BYTES } from '../limits.js';
import { requestIdOf } from '../request/request-head.js';
import { createLimitedServer, type ServerOptions } from './server.js';

/** Of Fastify's factory, over HTTP or HTTPS. */
export type FastifyOptions = FastifyServerOptions & { readonly https?: HttpsOptions };

/** How Fastify is set up, with a server that has all limits; the same for production and tests. */
export function fastifyOptions(options: ServerOptions, edge: Edge): FastifyOptions {
  const { tls, trustProxy = [] } = options;
  const { requestHooks, clientErrors } = edge;
  return {
    // Only to say so: the server is made here.
    ...(tls !== undefined && { https: tls }),
    serverFactory: (handle: RequestListener) => createLimitedServer(options, edge, handle),
    trustProxy: trustProxy.length === 0 ? false : proxiesAmong(trustProxy),
    genReqId: requestIdOf,
    clientErrorHandler: clientErrors.handle.bind(clientErrors),
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      requestHooks.refuse(error, request, reply);
    },
    routerOptions: {
      // A long id is unknown, not an error of its own.
      maxParamLength: MAX_HEADER_BYTES,
    },
  };
}
