import type { RequestListener } from 'node:http';
import type { ServerOptions as HttpsOptions } from 'node:https';

import type { FastifyReply, FastifyRequest, FastifyServerOptions, RawRequestDefaultExpression } from 'fastify';

import type { Edge } from './edge.js';
import { proxiesAmong } from '../connections/proxies.js';
import { MAX_HEADER_BYTES } from '../limits.js';
import { requestIdOf } from '../request/request-head.js';
import { createLimitedServer, type ServerOptions } from './server.js';

export type FastifyOptions = FastifyServerOptions & { readonly https?: HttpsOptions };

export function fastifyOptions(options: ServerOptions, edge: Edge): FastifyOptions {
  const { tls, trustProxy = [] } = options;
  const { requestHooks, clientErrors } = edge;
  return {
    // Informs Fastify only: the server is created below.
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
      // A long id is unknown (404), not a special error.
      maxParamLength: MAX_HEADER_BYTES,
    },
  };
}

/**
 * Removes the path of the public address after `/.well-known/<name>`, where clients look for the metadata of an address
 * with a path. RFC 8414 §3.1, RFC 9728 §3.1
 * @param basePath without a trailing slash.
 */
function atWellKnown(url: string, basePath: string): string {
  const end = url.indexOf('?');
  const [path, query] = end === -1 ? [url, ''] : [url.slice(0, end), url.slice(end)];
  if (!path.startsWith('/.well-known/') || !path.endsWith(basePath)) return url;
  const document = path.slice(0, -basePath.length);
  return /^\/\.well-known\/[^/]+$/.test(document) ? document + query : url;
}
