import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest, RawServerDefault } from 'fastify';

import type { Config } from '../config/config.js';
import type { Edge } from './edge.js';
import {
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  MAX_HEADER_BYTES,
  REQUEST_TIMEOUT_MS,
  TIMEOUT_CHECK_MS,
} from './limits.js';
import { requestIdOf } from './request-id.js';

type FastifyOptions = ConstructorParameters<typeof FastifyAdapter<RawServerDefault>>[0];

/** Nobody reads it: {@link queryOf} decodes strictly, and keeps parameters that are given twice. */
const NO_QUERY = Object.freeze({});

/** How Node and Fastify are set up; the same for production and tests. */
export function fastifyOptions(config: Config, { frontDoor, clientErrors }: Edge): FastifyOptions {
  const node = {
    // Ours tells a missing Host from a second one, in JSON.
    requireHostHeader: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
  };
  return {
    ...(config.tls === undefined
      ? { http: node }
      : { https: { ...node, ...config.tls, handshakeTimeout: HEADERS_TIMEOUT_MS } }),
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    trustProxy: config.trustProxy.length === 0 ? false : [...config.trustProxy],
    genReqId: requestIdOf,
    clientErrorHandler: clientErrors.handle.bind(clientErrors),
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      frontDoor.refuse(error, request, reply);
    },
    routerOptions: {
      // A long id is unknown, not an error of its own.
      maxParamLength: MAX_HEADER_BYTES,
      querystringParser: () => NO_QUERY,
    },
    // Nest middleware is not used, and its adapter costs every request.
    skipMiddie: true,
  };
}
