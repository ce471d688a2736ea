import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';

import { HEADER } from '@items/conventions';

import { connectionOf } from '../connections/connection.js';
import { readForwarding } from '../connections/forwarding-headers.js';
import type { Edge } from './edge.js';
import {
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  MAX_HEADER_BYTES,
  REQUEST_TIMEOUT_MS,
  TIMEOUT_CHECK_MS,
} from '../limits.js';
import { lowerCaseIds } from '../request/lower-case-ids.js';
import { originForm } from '../request/origin-form.js';
import { judgeHead } from '../request/request-head.js';
import { type ReceivedRequest, VERDICT } from '../received-request.js';
import { proxiesAmong } from '../connections/proxies.js';
import { translate } from '../request/translate.js';
import { receiveUnusualRequests } from '../connections/unusual-requests.js';

/** How a server is reached. */
export interface ServerOptions {
  /** PEM texts; undefined where the server speaks plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Addresses and CIDR blocks of the proxies whose forwarding headers count. */
  readonly trustProxy?: readonly string[];
}

const OPTIONS = {
  // `judgeHead` refuses it instead: in JSON, with one sentence for no Host and another for two.
  requireHostHeader: false,
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  connectionsCheckingInterval: TIMEOUT_CHECK_MS,
};

const TLS_OPTIONS = {
  minVersion: 'TLSv1.2',
  // Of TLS 1.2 only forward secrecy with authenticated encryption; TLS 1.3 has nothing else. RFC 9325 §4.2
  ciphers: 'ECDHE+AESGCM:ECDHE+CHACHA20',
  honorCipherOrder: true,
  handshakeTimeout: HEADERS_TIMEOUT_MS,
  // A client that has sent all it has to say is answered all the same.
  allowHalfOpen: true,
} as const;

/**
 * Makes Node's server with all limits of the service; the same for production and tests. Each request is judged as HTTP and
 * turned into the current version, waits for its turn on its connection and then for its turn among all requests, and goes to
 * Fastify, where `RequestHooks` receive it.
 * @param handle takes a request when its turn has come.
 */
export function createLimitedServer(
  { tls, trustProxy = [] }: ServerOptions,
  { connections, requestQueue, log, versions }: Pick<Edge, 'connections' | 'requestQueue' | 'log' | 'versions'>,
  handle: RequestListener,
): Server {
  const isProxy = proxiesAmong(trustProxy);
  const receive = (message: ReceivedRequest, response: ServerResponse): void => {
    message.url = lowerCaseIds(originForm(message.url ?? '/'));
    message[VERDICT] = judgeHead(message);
    readForwarding(message, isProxy);
    const asked = message.headers[HEADER.apiVersion];
    if (versions !== undefined && asked !== undefined && asked !== versions.current) {
      const translation = versions.translationOf(message);
      if (translation !== undefined) translate(message, response, translation, log);
    }
    const connection = connectionOf(message.socket);
    if (connection === undefined) requestQueue.enter(message, response);
    else connection.enter(message, response, requestQueue);
  };
  const server =
    tls === undefined
      ? createServer(OPTIONS, receive)
      : createTlsServer({ ...OPTIONS, ...TLS_OPTIONS, ...tls }, receive);
  // All headers count: what is beyond Node's default of 2000 would be ignored in silence.
  server.maxHeadersCount = 0;
  allowHalfOpen(server);
  receiveUnusualRequests(server);
  connections.watch(server, isProxy);
  requestQueue.serve(handle);
  requestQueue.watch(server);
  server.once('listening', () => {
    // A connection that could not be accepted, for want of file descriptors say, is no reason to end.
    server.on('error', (error) => {
      log.error({ err: error }, 'could not accept a connection');
    });
  });
  return server;
}

/** Answers also a client that has closed its side. Node reads this property, which its types do not have. */
function allowHalfOpen(server: Server & { httpAllowHalfOpen?: boolean }): void {
  server.httpAllowHalfOpen = true;
}
