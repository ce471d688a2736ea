import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { Answer, type Header, HttpClient } from '@items/testing';

/** Time after a 503 until the refused write takes effect. */
const LATE_MS = 400;
/** Time for which the same stale read is returned. */
const STALE_MS = 300;

/** Sends the request to the service. @param without name of a header to remove. */
type Forward = (without?: string) => Promise<Answer>;
type Handle = (request: IncomingMessage, forward: Forward) => Promise<Answer>;

/** A simulated fault of the service, which the checker of histories must find. Changes requests or responses. */
export interface Mutant {
  readonly title: string;
  readonly start: () => Handle;
}

export const MUTANTS: readonly Mutant[] = [
  { title: 'a lost update: If-Match is ignored', start: () => (_request, forward) => forward('if-match') },
  {
    title: 'a stale read',
    start: () => {
      const cached = new Map<string, { answer: Answer; atMs: number }>();
      return async ({ method, url = '/' }, forward) => {
        if (method !== 'GET' || url.includes('?')) return forward();
        const known = cached.get(url);
        if (known !== undefined && performance.now() - known.atMs < STALE_MS) return known.answer;
        const atMs = performance.now();
        const answer = await forward();
        cached.set(url, { answer, atMs });
        return answer;
      };
    },
  },
  {
    title: 'a write after its 503',
    start: () => {
      let writes = 0;
      return async ({ method }, forward) => {
        if (method !== 'PUT' || ++writes % 5 !== 0) return forward();
        void sleep(LATE_MS).then(() => forward().catch(() => undefined));
        return new Answer(503, [['Content-Type', 'application/json']], Buffer.from('{"code":"overloaded"}'));
      };
    },
  },
  {
    title: 'a repetition that creates a second member',
    start: () => (_request, forward) => forward('idempotency-key'),
  },
  {
    title: 'a deletion that is acknowledged and not done',
    start:
      () =>
      async ({ method }, forward) =>
        method === 'DELETE' ? new Answer(204, [], Buffer.alloc(0)) : forward(),
  },
];

/** Headers of one connection. */
const HOPS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host', 'content-length']);

/** Starts a proxy before an instance. */
export async function startProxy(
  baseUrl: string,
  handle: Handle,
): Promise<{ readonly address: string; readonly stop: () => void }> {
  const client = new HttpClient({ baseUrl, resends: false });
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const forward: Forward = (without) => {
      const headers = Object.entries(request.headers).filter(([name]) => !HOPS.has(name) && name !== without);
      return client.send(request.method ?? 'GET', request.url ?? '/', {
        headers: headers as unknown as Header[],
        ...(body.length > 0 && { body }),
      });
    };
    const answer = await handle(request, forward);
    const headers = answer.headers.filter(([name]) => !HOPS.has(name.toLowerCase()));
    response.writeHead(answer.status, headers.flat()).end(answer.body);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
