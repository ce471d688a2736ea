import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions as HttpsOptions } from 'node:https';

import { HEADER } from '@items/conventions';
import type { FastifyReply, FastifyRequest, FastifyServerOptions, RawRequestDefaultExpression } from 'fastify';

import { connectionOf } from '../connections/connection.js';
import { proxiesAmong, readForwarding } from '../connections/forwarding-headers.js';
import type { Edge } from './edge.js';
import {
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  MAX_HEADER_BYTES,
  REQUEST_TIMEOUT_MS,
  TIMEOUT_CHECK_MS,
} from '../limits.js';
import { lowerCaseIds, originForm, requestIdOf, validateHead } from '../request/request-head.js';
import { type ReceivedRequest, HEAD_CHECK } from '../received-request.js';
import { translate } from '../request/translate.js';
import { receiveUnusualRequests } from '../connections/unusual-requests.js';

export interface ServerOptions {
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Addresses and CIDR blocks of trusted proxies. */
  readonly trustProxy?: readonly string[];
}

const OPTIONS = {
  // Node's own 400 would not be JSON, so `validateHead` checks Host.
  requireHostHeader: false,
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  connectionsCheckingInterval: TIMEOUT_CHECK_MS,
};

export const TLS_OPTIONS = {
  minVersion: 'TLSv1.2',
  // Ciphers with forward secrecy and authenticated encryption. All ciphers of TLS 1.3 have both. RFC 9325 §4.2
  ciphers: 'ECDHE+AESGCM:ECDHE+CHACHA20',
  honorCipherOrder: true,
  handshakeTimeout: HEADERS_TIMEOUT_MS,
  allowHalfOpen: true,
} as const;

export type FastifyOptions = FastifyServerOptions & { readonly https?: HttpsOptions };

export function fastifyOptions({ tls, trustProxy = [] }: ServerOptions, edge: Edge): FastifyOptions {
  const { requestHooks, clientErrors } = edge;
  const isProxy = proxiesAmong(trustProxy);
  return {
    // Informs Fastify of HTTPS; `serverFactory` creates the server.
    ...(tls !== undefined && { https: tls }),
    ...(edge.basePath !== '' && {
      rewriteUrl: ({ url = '/' }: RawRequestDefaultExpression) => atWellKnown(url, edge.basePath),
    }),
    serverFactory: (handle: RequestListener) => createLimitedServer(tls, isProxy, edge, handle),
    trustProxy: trustProxy.length === 0 ? false : isProxy,
    genReqId: requestIdOf,
    clientErrorHandler: clientErrors.handle.bind(clientErrors),
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
      requestHooks.refuse(error, request, reply),
    routerOptions: {
      // By default, Fastify responds with 414, not 404, to an id of more than 100 characters.
      maxParamLength: MAX_HEADER_BYTES,
    },
  };
}

/**
 * Removes the base path after `/.well-known/<name>`: clients append the base path to find the metadata of the service.
 * RFC 8414 §3.1, RFC 9728 §3.1
 */
function atWellKnown(url: string, basePath: string): string {
  const end = url.indexOf('?');
  const [path, query] = end === -1 ? [url, ''] : [url.slice(0, end), url.slice(end)];
  if (!path.startsWith('/.well-known/') || !path.endsWith(basePath)) return url;
  const document = path.slice(0, -basePath.length);
  return /^\/\.well-known\/[^/]+$/.test(document) ? document + query : url;
}

/**
 * Creates the Node server with all limits. It checks each request, translates it to the current version, and queues it:
 * first per connection, then among all requests. Then Fastify and `RequestHooks` receive it.
 */
function createLimitedServer(
  tls: ServerOptions['tls'],
  isProxy: (address: string) => boolean,
  { connections, requestQueue, log, upgrades, versions }: Edge,
  handle: RequestListener,
): Server {
  const receive = (message: ReceivedRequest, response: ServerResponse): void => {
    message.url = lowerCaseIds(originForm(message.url ?? '/'));
    message[HEAD_CHECK] = validateHead(message);
    const { headers } = message;
    if (headers['x-forwarded-for'] !== undefined || headers['x-forwarded-proto'] !== undefined)
      readForwarding(message, isProxy);
    const requested = headers[HEADER.apiVersion];
    if (versions !== undefined && requested !== undefined && requested !== versions.current) {
      const translation = versions.translationOf(message);
      if (translation !== undefined) translate(message, response, translation, log);
    }
    const connection = connectionOf(message.socket);
    if (connection === undefined) requestQueue.enter(message, response);
    else connection.enter(response);
  };
  const { shouldUpgradeCallback } = upgrades;
  const options = { ...OPTIONS, shouldUpgradeCallback };
  const server =
    tls === undefined
      ? createServer(options, receive)
      : createTlsServer({ ...options, ...TLS_OPTIONS, ...tls }, receive);
  // 0 is no limit. By default, Node silently drops headers beyond 2000.
  server.maxHeadersCount = 0;
  allowHalfOpen(server);
  receiveUnusualRequests(server);
  upgrades.watch(server);
  connections.watch(server, isProxy);
  requestQueue.serve(handle);
  requestQueue.watch(server);
  server.once('listening', () => {
    // A connection that cannot be accepted, for example because file descriptors run out, must not end the process.
    server.on('error', (error) =>
      log.error({ err: error }, 'could not accept a connection; the server continues to listen'),
    );
  });
  return server;
}

/** Clients that have closed their sending side still get their response. The types of Node lack this property. */
function allowHalfOpen(server: Server & { httpAllowHalfOpen?: boolean }): void {
  server.httpAllowHalfOpen = true;
}
