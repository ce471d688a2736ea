import { Agent as HttpAgent, request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';

import { Answer, type Header } from './answer.js';
import type { Exchange, ExchangeObserver, SentRequest } from './exchange.js';
import { waitedOut } from './patience.js';

export interface HttpClientOptions {
  /** `http://host:port`, or `https:`; its path is put before every target. */
  readonly baseUrl: string;
  readonly headers?: readonly Header[];
  /** Receive every exchange, in order; their errors fail the request. */
  readonly observers?: readonly ExchangeObserver[];
  /** Maximum wait for a complete response; default 10 000. */
  readonly timeoutMs?: number;
  /** Address from which it connects, such as `127.0.0.2`, to appear as another client. */
  readonly localAddress?: string;
  /** The only trusted authority, as PEM. Default: those of Node. */
  readonly ca?: string;
  /** Whether to retry a 429 that allows it within a minute. For services whose quota the tests cannot choose. */
  readonly retriesAfter429?: boolean;
  /** Whether to repeat a request if the service has closed its idle connection. Default: true. */
  readonly resends?: boolean;
}

export interface RequestOptions {
  readonly headers?: readonly Header[];
  /** Sent unchanged, without a `Content-Type` of its own. */
  readonly body?: string | Uint8Array;
  /** Sent with `Content-Type: application/json`. */
  readonly json?: unknown;
}

const agents = {
  'http:': new HttpAgent({ keepAlive: true, maxSockets: 256, maxFreeSockets: 256 }),
  'https:': new HttpsAgent({ keepAlive: true, maxSockets: 256, maxFreeSockets: 256 }),
};

/**
 * An HTTP client that changes nothing: targets are sent byte for byte, headers as often as they are given, and
 * responses are not decoded. All clients of a process share connections.
 */
export class HttpClient {
  private readonly base: URL;

  constructor(private readonly options: HttpClientOptions) {
    this.base = new URL(options.baseUrl);
  }

  withHeaders(...headers: readonly Header[]): HttpClient {
    return new HttpClient({ ...this.options, headers: [...(this.options.headers ?? []), ...headers] });
  }

  withOptions(options: Partial<HttpClientOptions>): HttpClient {
    return new HttpClient({ ...this.options, ...options });
  }

  get(target: string, ...headers: readonly Header[]): Promise<Answer> {
    return this.send('GET', target, { headers });
  }

  head(target: string, ...headers: readonly Header[]): Promise<Answer> {
    return this.send('HEAD', target, { headers });
  }

  post(target: string, json: unknown, ...headers: readonly Header[]): Promise<Answer> {
    return this.send('POST', target, { json, headers });
  }

  put(target: string, json: unknown, ...headers: readonly Header[]): Promise<Answer> {
    return this.send('PUT', target, { json, headers });
  }

  delete(target: string, ...headers: readonly Header[]): Promise<Answer> {
    return this.send('DELETE', target, { headers });
  }

  /** @throws {Error} no response in time, or an error of an observer. */
  async send(method: string, target: string, options: RequestOptions = {}): Promise<Answer> {
    const request = this.compose(method, target, options);
    let answer = await this.exchange(request);
    while (this.options.retriesAfter429 === true && (await waitedOut(answer.status, answer.header('retry-after')))) {
      answer = await this.exchange(request);
    }
    const exchange: Exchange = { request, answer };
    for (const observe of this.options.observers ?? []) observe(exchange);
    return answer;
  }

  private compose(method: string, target: string, options: RequestOptions): SentRequest {
    const json = 'json' in options ? JSON.stringify(options.json) : undefined;
    const content = json ?? options.body;
    const headers: Header[] = [...(this.options.headers ?? []), ...(options.headers ?? [])];
    if (json !== undefined) headers.push(['Content-Type', 'application/json']);
    const body = content === undefined ? undefined : Buffer.from(content);
    return { method, target: this.base.pathname.replace(/\/$/, '') + target, headers, body };
  }

  private async exchange(request: SentRequest): Promise<Answer> {
    try {
      return await this.transmit(request);
    } catch (error) {
      if (error instanceof StaleConnectionError) return this.transmit(request);
      throw error;
    }
  }

  private transmit(request: SentRequest): Promise<Answer> {
    const { method, target, body } = request;
    const timeoutMs = this.options.timeoutMs ?? 10_000;
    const label = `${method} ${target.slice(0, 200)}`;
    const { protocol, hostname, port, host } = this.base;
    const { localAddress, ca } = this.options;
    const framing: Header[] = body === undefined ? [] : [['Content-Length', String(body.length)]];
    return new Promise((resolve, reject) => {
      const open = protocol === 'https:' ? requestHttps : requestHttp;
      const outgoing = open({
        agent: agents[protocol as keyof typeof agents],
        hostname,
        port,
        method,
        path: target,
        headers: [['Host', host], ...request.headers, ...framing].flat(),
        ...(localAddress === undefined ? {} : { localAddress }),
        ...(ca === undefined ? {} : { ca }),
      });
      const timer = setTimeout(() => {
        outgoing.destroy(new Error(`${label}: no answer within ${String(timeoutMs)} ms`));
      }, timeoutMs);
      outgoing.on('response', (incoming) => {
        collect(incoming).then(resolve, reject);
      });
      outgoing.on('error', (error) => {
        const isRepeated = this.options.resends !== false && isStale(outgoing, error);
        reject(isRepeated ? new StaleConnectionError() : error);
      });
      outgoing.on('close', () => {
        clearTimeout(timer);
      });
      outgoing.end(body);
    });
  }
}

/** Closes idle connections to a service. @param port of the service on this host. */
export function closeIdleConnections(port: number): void {
  for (const { freeSockets } of Object.values(agents)) {
    for (const [name, sockets] of Object.entries(freeSockets)) {
      if (name.startsWith(`127.0.0.1:${String(port)}:`)) sockets?.forEach((socket) => socket.destroy());
    }
  }
}

/** The service closed the idle connection before its reuse, and never read the request. */
class StaleConnectionError extends Error {}

function isStale(request: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

async function collect(incoming: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return new Answer(incoming.statusCode ?? 0, pairs(incoming.rawHeaders), Buffer.concat(chunks));
}

function pairs(rawHeaders: readonly string[]): Header[] {
  const headers: Header[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) headers.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '']);
  return headers;
}
