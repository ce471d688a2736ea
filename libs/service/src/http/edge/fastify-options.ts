import type { RequestListener } from 'node:http';
import type { ServerOptions as HttpsOptions } from 'node:https';

import type { FastifyReply, FastifyRequest, FastifyServerOptions, RawRequestDefaultExpression } from 'fastify';

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
    ...(edge.basePath !== '' && {
      rewriteUrl: ({ url = '/' }: RawRequestDefaultExpression) => atWellKnown(url, edge.basePath),
    }),
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

/**
 * Drops the path of the public address behind `/.well-known/<name>`, where clients look for the metadata of an address with a
 * path. RFC 8414 §3.1, RFC 9728 §3.1
 * @param basePath without a slash at its end.
 */
export function atWellKnown(url: string, basePath: string): string {
  const [, path = '', query = ''] = /^(\/\.well-known\/[^?]*)(.*)$/.exec(url) ?? [];
  if (!path.endsWith(basePath)) return url;
  const document = path.slice(0, -basePath.length);
  return /^\/\.well-known\/[^/]+$/.test(document) ? document + query : url;
}
