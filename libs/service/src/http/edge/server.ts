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
  // `validateHead` refuses it instead: in JSON, with different messages for no Host and for two.
  requireHostHeader: false,
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  connectionsCheckingInterval: TIMEOUT_CHECK_MS,
};

export const TLS_OPTIONS = {
  minVersion: 'TLSv1.2',
  // Only forward secrecy with authenticated encryption. TLS 1.3 has nothing else. RFC 9325 §4.2
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
    // Informs Fastify only: the server is created below.
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

/**
 * Creates Node's server with all limits. Each request is checked and translated to the current version, waits for its
 * turn on its connection and then among all requests, and goes to Fastify, where `RequestHooks` receive it.
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
    const asked = headers[HEADER.apiVersion];
    if (versions !== undefined && asked !== undefined && asked !== versions.current) {
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
  // No limit: Node silently ignores headers beyond its default of 2000.
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

/** Node's types lack this property: clients that have closed their sending side still get their response. */
function allowHalfOpen(server: Server & { httpAllowHalfOpen?: boolean }): void {
  server.httpAllowHalfOpen = true;
}
