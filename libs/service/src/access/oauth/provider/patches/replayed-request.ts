import { IncomingMessage } from 'node:http';

import { basePathOf } from '../../../../http/base-path.js';

/** Changes of a request on its way to oidc-provider. */
export interface Replay {
  /** Path and query. Default: those of the request. */
  readonly url?: string;
  /** The body read so far. Default: none. */
  readonly body?: Buffer | string;
  /** Replace headers of the request; undefined removes one. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/**
 * A request as oidc-provider is to see it. Its address is that of the base URL, whatever Host and forwarding headers
 * say, so that neither metadata nor redirects follow a forged one; its body was read before, within our own limits.
 * @param base where the service is reached.
 */
export function replayed(original: IncomingMessage, base: URL, { url, body, headers }: Replay): IncomingMessage {
  const message = new IncomingMessage(original.socket);
  message.method = original.method === 'HEAD' ? 'GET' : (original.method ?? 'GET');
  message.url = url ?? original.url ?? '/';
  message.httpVersion = original.httpVersion;
  message.httpVersionMajor = original.httpVersionMajor;
  message.httpVersionMinor = original.httpVersionMinor;
  message.headers = {
    ...original.headers,
    ...headers,
    host: base.host,
    'x-forwarded-proto': base.protocol.slice(0, -1),
  };
  delete message.headers['x-forwarded-host'];
  // Our own CORS decides which page may read the response; oidc-provider would refuse a client for
  // it.
  delete message.headers.origin;
  delete message.headers['transfer-encoding'];
  delete message.headers.expect;
  if (body === undefined) delete message.headers['content-length'];
  else message.headers['content-length'] = String(Buffer.byteLength(body));
  // Koa's own name for the path below which it is mounted: what a proxy has cut off belongs into every URL.
  Object.assign(message, { originalUrl: basePathOf(base) + message.url });
  if (body !== undefined) message.push(body);
  message.push(null);
  message.complete = true;
  return message;
}
