import { createServer, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '@items/testing';

/** Delay of a write after its 503, in milliseconds, and for how long a stale read is repeated. */
const LATE_MS = 400;
const STALE_MS = 300;

/**
 * A fault of the service that the check must find. It changes the requests or the responses of an instance.
 * @typedef {object} Mutant
 * @property {string} title
 * @property {(request: Seen) => Promise<Reply>} handle
 */

/**
 * @typedef {{ method: string, url: string, headers: import('node:http').IncomingHttpHeaders, body: Buffer, forward: () => Promise<Reply> }} Seen
 * @typedef {{ status: number, headers: import('node:http').IncomingHttpHeaders, body: Buffer }} Reply
 */

/** @returns {Record<string, Mutant>} */
export function mutants() {
  /** @type {Map<string, { reply: Reply, atMs: number }>} */
  const cached = new Map();
  let writes = 0;
  return {
    'lost-update': {
      title: 'If-Match is ignored, so that an update is lost',
      handle: (seen) => {
        delete seen.headers['if-match'];
        return seen.forward();
      },
    },
    'stale-read': {
      title: 'a read shows a former state',
      handle: async (seen) => {
        if (seen.method !== 'GET' || seen.url.includes('?')) return seen.forward();
        const known = cached.get(seen.url);
        if (known !== undefined && performance.now() - known.atMs < STALE_MS) return known.reply;
        const atMs = performance.now();
        const reply = await seen.forward();
        cached.set(seen.url, { reply, atMs });
        return reply;
      },
    },
    'late-write': {
      title: 'a write is done after its 503',
      handle: async (seen) => {
        writes += seen.method === 'PUT' ? 1 : 0;
        if (seen.method !== 'PUT' || writes % 5 !== 0) return seen.forward();
        void sleep(LATE_MS).then(() => seen.forward().catch(() => undefined));
        return {
          status: 503,
          headers: { 'content-type': 'application/json' },
          body: Buffer.from('{"code":"overloaded"}'),
        };
      },
    },
    'replay-writes': {
      title: 'the repetition of a creation creates a second member',
      handle: (seen) => {
        delete seen.headers['idempotency-key'];
        return seen.forward();
      },
    },
    'lost-write': {
      title: 'a write is acknowledged and not done',
      handle: async (seen) => {
        writes += seen.method === 'DELETE' ? 1 : 0;
        if (seen.method === 'DELETE' && seen.headers['if-match'] === undefined)
          return { status: 204, headers: {}, body: Buffer.alloc(0) };
        return seen.forward();
      },
    },
  };
}

/**
 * Starts a proxy before an instance that has a fault.
 * @param {string} address of the instance.
 * @param {Mutant} mutant
 */
export async function startMutant(address, { handle }) {
  const target = new URL(address);
  const server = createServer(async (incoming, outgoing) => {
    /** @type {Buffer[]} */
    const parts = [];
    for await (const part of incoming) parts.push(part);
    const body = Buffer.concat(parts);
    const { method = 'GET', url = '/', headers } = incoming;
    try {
      const seen = { method, url, headers, body, forward: () => forward(target, { method, url, headers, body }) };
      const reply = await handle(seen);
      outgoing.writeHead(reply.status, withoutHops(reply.headers)).end(reply.body);
    } catch {
      outgoing.destroy();
    }
  });
  const port = await freePort();
  await new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(undefined)));
  return {
    address: `http://127.0.0.1:${port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** @param {URL} target @param {Omit<Seen, 'forward'>} seen @returns {Promise<Reply>} */
function forward({ hostname, port }, { method, url, headers, body }) {
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path: url, headers: withoutHops(headers) }, (answer) => {
      /** @type {Buffer[]} */
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: Buffer.concat(parts) }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** @param {import('node:http').IncomingHttpHeaders} headers */
function withoutHops({ connection: _connection, 'keep-alive': _keepAlive, 'transfer-encoding': _encoding, ...rest }) {
  return rest;
}
