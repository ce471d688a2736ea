import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { NameServer, RECEIVER_CERTIFICATE, TEST_CERTIFICATE } from '@items/testing';
import { Webhook } from 'standardwebhooks';

import type { Attempt, AttemptResult } from './attempt.js';
import { WebhookSender, type WebhookSenderOptions } from './webhook-sender.js';

const SECRET = `whsec_${Buffer.alloc(32, 'a').toString('base64')}`;
const FORMER_SECRET = `whsec_${Buffer.alloc(32, 'b').toString('base64')}`;
const NAME = RECEIVER_CERTIFICATE.name;
const BODY = JSON.stringify({ type: 'item.created', data: { object: { name: 'Grüße, 茶 🫖' } } });
/** Time in which nothing must arrive: long enough for a busy machine. */
const SHORT_MS = 300;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function listening(server: TcpServer): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function receiver(handler: Handler): Promise<{ url: string; server: Server; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      handler(request, response);
    });
  });
  return { url: `http://127.0.0.1:${await listening(server)}/hooks?a=b`, server, received };
}

const answering =
  (status: number, headers: Record<string, string> = {}): Handler =>
  (_request, response) => {
    response.writeHead(status, headers).end('{}');
  };

async function rawServer(onSocket: (socket: Socket) => void): Promise<number> {
  return listening(createTcpServer(onSocket));
}

async function secureReceiver(certificate: { cert: string; key: string } = RECEIVER_CERTIFICATE): Promise<number> {
  return listening(createSecureServer(certificate, answering(204)));
}

async function nameServer(): Promise<NameServer> {
  const server = await NameServer.start();
  cleanups.push(() => server.close());
  return server;
}

function sender(options: WebhookSenderOptions = {}): WebhookSender {
  const made = new WebhookSender({ allow: ['127.0.0.1'], ca: [RECEIVER_CERTIFICATE.cert], ...options });
  cleanups.push(() => made.close());
  return made;
}

function attemptFor(url: string, changes: Partial<Attempt> = {}): Attempt {
  return {
    url,
    eventId: '0193-event',
    body: BODY,
    apiVersion: '2026-11-01',
    secrets: [SECRET],
    userAgent: 'Items/1.0',
    at: new Date(),
    ...changes,
  };
}

async function attempted(url: string, options?: WebhookSenderOptions): Promise<AttemptResult> {
  return sender(options).attempt(attemptFor(url));
}

const failed = (error: AttemptResult['error'], statusCode: number | null = null): object =>
  expect.objectContaining({ error, statusCode, durationMs: expect.any(Number), at: expect.any(Date) }) as object;

describe('WebhookSender.attempt (SPEC §6, Attempt)', () => {
  it('posts the event with its headers, and treats 2xx as success', async () => {
    const { url, received } = await receiver(answering(202));
    const at = new Date();
    const result = await sender().attempt(attemptFor(url, { at }));
    expect(result).toEqual({
      at,
      durationMs: expect.any(Number),
      statusCode: 202,
      error: null,
      gone: false,
      holdSeconds: null,
    });
    expect(received).toHaveLength(1);
    expect(received[0]?.body).toBe(BODY);
    expect(received[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(BODY)),
      'api-version': '2026-11-01',
      'user-agent': 'Items/1.0',
      'webhook-id': '0193-event',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    });
  });

  it('signs with each current secret, as the standardwebhooks package verifies it', async () => {
    const { url, received } = await receiver(answering(204));
    await sender().attempt(attemptFor(url, { secrets: [SECRET, FORMER_SECRET] }));
    const { body, headers } = received[0]!;
    const told = headers as Record<string, string>;
    expect(told['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const secret of [SECRET, FORMER_SECRET]) {
      expect(new Webhook(secret).verify(body, told)).toEqual(JSON.parse(BODY));
    }
    const other = new Webhook(`whsec_${Buffer.alloc(32, 'c').toString('base64')}`);
    expect(() => other.verify(body, told)).toThrow('No matching signature found');
    expect(() => new Webhook(SECRET).verify(`${body} `, told)).toThrow('No matching signature found');
  });

  it.each([200, 201, 204, 299])('treats %d as success', async (status) => {
    const { url } = await receiver(answering(status));
    expect(await attempted(url)).toEqual(failed(null, status));
  });

  it.each([400, 404, 500])('treats %d as a failure by its status', async (status) => {
    const { url } = await receiver(answering(status));
    expect(await attempted(url)).toEqual(failed('status', status));
  });

  it('follows no redirect', async () => {
    const there = await receiver(answering(204));
    const { url } = await receiver(answering(307, { location: there.url }));
    expect(await attempted(url)).toEqual(failed('status', 307));
    expect(there.received).toEqual([]);
  });

  it('reports for 410 that the receiver wants no more events', async () => {
    const { url } = await receiver(answering(410));
    expect(await attempted(url)).toMatchObject({ statusCode: 410, error: 'status', gone: true });
  });

  it.each([
    [429, '7', 7],
    [503, '7200', 3600],
    [503, 'soon', null],
    [503, '-1', null],
    [429, '1,2', null],
    [500, '7', null],
    [302, '7', null],
  ])('returns the pause of %d with Retry-After %s: %s', async (status, retryAfter, holdSeconds) => {
    const { url } = await receiver(answering(status, { 'retry-after': retryAfter }));
    expect(await attempted(url)).toMatchObject({ statusCode: status, error: 'status', holdSeconds });
  });

  it('reads Retry-After as a date, compared with the time of the attempt', async () => {
    const { url } = await receiver(answering(429, { 'retry-after': 'Sat, 01 Mar 2031 12:01:30 GMT' }));
    const at = new Date('2031-03-01T12:00:00Z');
    const { holdSeconds } = await sender().attempt(attemptFor(url, { at }));
    expect([89, 90]).toContain(holdSeconds);
    const later = await sender().attempt(attemptFor(url, { at: new Date('2031-03-02T00:00:00Z') }));
    expect(later.holdSeconds).toBe(0);
  });

  it('reads 16 KiB of an endless response, then closes the connection', async () => {
    let ended: Promise<unknown> | undefined;
    const { url } = await receiver((_request, response) => {
      ended = once(response, 'close');
      response.writeHead(200);
      const more = (): void => {
        while (response.write('x'.repeat(4096)));
      };
      response.on('drain', more);
      more();
    });
    expect(await attempted(url)).toEqual(failed(null, 200));
    await ended;
  });

  it('reads at most ten informational responses', async () => {
    const flood = (socket: Socket): void => {
      if (socket.destroyed) return;
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n'.repeat(100), () => setImmediate(flood, socket));
    };
    const flooding = await rawServer((socket) => socket.once('data', () => flood(socket)));
    expect(await attempted(`http://127.0.0.1:${String(flooding)}/`, { timeoutMs: 5000 })).toEqual(failed('connect'));
    const few = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(10) + 'HTTP/1.1 204 No Content\r\n\r\n';
    const port = await rawServer((socket) => socket.once('data', () => socket.write(few)));
    expect(await attempted(`http://127.0.0.1:${String(port)}/`)).toMatchObject({ statusCode: 204, error: null });
  });

  it('reuses the connection after a short response, but not after a long one', async () => {
    let connections = 0;
    let length = 100;
    const { url, server } = await receiver((_request, response) => response.end('x'.repeat(length)));
    server.on('connection', () => (connections += 1));
    const one = sender();
    await one.attempt(attemptFor(url));
    await one.attempt(attemptFor(url));
    expect(connections).toBe(1);
    length = 100_000;
    await one.attempt(attemptFor(url));
    await one.attempt(attemptFor(url));
    expect(connections).toBe(2);
  });

  it('throws for a malformed secret, without showing it', async () => {
    const { url, received } = await receiver(answering(204));
    const attempt = sender().attempt(attemptFor(url, { secrets: ['whsec_not base64'] }));
    await expect(attempt).rejects.toThrow(new TypeError('A secret must be "whsec_" and a key in base64.'));
    expect(received).toEqual([]);
  });
});

describe('the time-out holds for an attempt as a whole', () => {
  const soon = { timeoutMs: SHORT_MS };

  it('if the receiver is silent', async () => {
    const { url } = await receiver(() => undefined);
    const result = await attempted(url, soon);
    expect(result).toEqual(failed('timeout'));
    expect(result.durationMs).toBeGreaterThanOrEqual(SHORT_MS - 5);
  });

  it('if headers arrive byte by byte', async () => {
    const port = await rawServer((socket) => {
      const bytes = [...`HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(100)}`];
      const timer = setInterval(() => socket.write(bytes.shift() ?? 'x'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await attempted(`http://127.0.0.1:${port}/`, soon)).toEqual(failed('timeout'));
  });

  it('if the body arrives byte by byte: the result has the status', async () => {
    const { url } = await receiver((_request, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    });
    expect(await attempted(url, soon)).toEqual(failed('timeout', 200));
  });

  it('if TLS is not started', async () => {
    const names = await nameServer();
    names.set(NAME, ['127.0.0.1']);
    const port = await rawServer(() => undefined);
    const result = await attempted(`https://${NAME}:${port}/`, { ...soon, dns: names.address });
    expect(result).toEqual(failed('timeout'));
  });

  it('if no resolver responds', async () => {
    const names = await nameServer();
    names.set(NAME, 'silence');
    const result = await attempted(`https://${NAME}/`, { ...soon, dns: names.address });
    expect(result).toEqual(failed('timeout'));
  });
});

describe('names (SPEC §6, Address)', () => {
  it('are looked up at the configured resolver, and TLS is verified for the name', async () => {
    const names = await nameServer();
    names.set(NAME, ['127.0.0.1']);
    const url = `https://${NAME}:${await secureReceiver()}/hooks`;
    expect(await attempted(url, { dns: names.address })).toEqual(failed(null, 204));
    expect(names.questions).toEqual([NAME, NAME]);
  });

  it('may have a final dot', async () => {
    const names = await nameServer();
    names.set(NAME, ['127.0.0.1']);
    const url = `https://${NAME}.:${await secureReceiver()}/hooks`;
    expect(await attempted(url, { dns: names.address })).toEqual(failed(null, 204));
  });

  it('fail by dns if they are unknown, have no address, or the look-up fails', async () => {
    const names = await nameServer();
    names.set('empty.example', []);
    names.set('broken.example', 'failure');
    const one = sender({ dns: names.address });
    for (const name of ['unknown.example', 'empty.example', 'broken.example']) {
      expect(await one.attempt(attemptFor(`https://${name}/`))).toEqual(failed('dns'));
    }
  });

  it('fail by tls if the certificate is for another name', async () => {
    const names = await nameServer();
    names.set('other.example', ['127.0.0.1']);
    const url = `https://other.example:${await secureReceiver()}/`;
    expect(await attempted(url, { dns: names.address })).toEqual(failed('tls'));
  });

  it('fail by tls if no trusted authority has signed', async () => {
    const names = await nameServer();
    names.set(NAME, ['127.0.0.1']);
    const url = `https://${NAME}:${await secureReceiver(TEST_CERTIFICATE)}/`;
    expect(await attempted(url, { dns: names.address })).toEqual(failed('tls'));
  });

  it('fail by tls if the receiver does not speak TLS, or disconnects during the handshake', async () => {
    const names = await nameServer();
    names.set(NAME, ['127.0.0.1']);
    const plain = await rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    const rude = await rawServer((socket) => socket.once('data', () => socket.destroy()));
    for (const port of [plain, rude]) {
      const result = await attempted(`https://${NAME}:${port}/`, { dns: names.address });
      expect(result).toEqual(failed('tls'));
    }
  });

  it('are looked up before each connection: one that is forbidden the second time is not connected', async () => {
    const names = await nameServer();
    names.set(NAME, ['127.0.0.1']);
    const port = await listening(createSecureServer(RECEIVER_CERTIFICATE, answering(204, { connection: 'close' })));
    const one = sender({ dns: names.address });
    expect(await one.attempt(attemptFor(`https://${NAME}:${port}/`))).toEqual(failed(null, 204));
    names.set(NAME, ['127.0.0.2']);
    expect(await one.attempt(attemptFor(`https://${NAME}:${port}/`))).toEqual(failed('forbidden_address'));
    expect(names.questions).toEqual([NAME, NAME, NAME, NAME]);
  });

  it('are looked up again after a pause, though the receiver keeps the connection', async () => {
    const names = await nameServer();
    names.set(NAME, ['127.0.0.1']);
    const server = createSecureServer(RECEIVER_CERTIFICATE, answering(204));
    const port = await listening(server);
    const one = sender({ dns: names.address });
    server.keepAliveTimeout = 600_000;
    const connected = once(server, 'connection') as Promise<[Socket]>;
    expect(await one.attempt(attemptFor(`https://${NAME}:${port}/`))).toEqual(failed(null, 204));
    await once((await connected)[0], 'close');
    names.set(NAME, ['10.0.0.1']);
    expect(await one.attempt(attemptFor(`https://${NAME}:${port}/`))).toEqual(failed('forbidden_address'));
  });

  it('are not connected at all if one of several addresses is forbidden', async () => {
    const names = await nameServer();
    const { url, received } = await receiver(answering(204));
    const { port } = new URL(url);
    const one = sender({ dns: names.address });
    const forbidden = ['10.0.0.1', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::', '169.254.169.254'];
    for (const address of forbidden) {
      names.set('mixed.example', ['127.0.0.1', address]);
      expect(await one.attempt(attemptFor(`http://mixed.example:${port}/`))).toEqual(failed('forbidden_address'));
    }
    expect(received).toEqual([]);
    names.set('mixed.example', ['127.0.0.1']);
    expect(await one.attempt(attemptFor(`http://mixed.example:${port}/`))).toEqual(failed(null, 204));
  });

  it('lead to the next address if the first does not respond', async () => {
    const names = await nameServer();
    const { url } = await receiver(answering(204));
    names.set('two.example', ['127.0.0.2', '127.0.0.1']);
    const two = sender({ dns: names.address, allow: ['127.0.0.0/8'] });
    const result = await two.attempt(attemptFor(`http://two.example:${new URL(url).port}/`));
    expect(result).toEqual(failed(null, 204));
  });

  it('lead to exempt addresses only, with http', async () => {
    const names = await nameServer();
    names.set('public.example', ['8.8.8.8']);
    names.set('exempt.example', ['127.0.0.1']);
    names.set('mixed.example', ['127.0.0.1', '8.8.8.8']);
    const one = sender({ dns: names.address });
    for (const name of ['public.example', 'mixed.example']) {
      expect(await one.attempt(attemptFor(`http://${name}/`))).toEqual(failed('forbidden_address'));
      expect(await one.attempt(attemptFor(`http://${name}:8080/`))).toEqual(failed('forbidden_address'));
      expect(await one.checkUrl(`http://${name}/`)).toMatchObject({ code: 'invalid_url' });
      expect(await one.checkUrl(`https://${name}:80/`)).toMatchObject({ code: 'invalid_url' });
    }
    expect(await one.checkUrl('http://unknown.example/')).toMatchObject({ code: 'invalid_url' });
    expect(await one.checkUrl('http://exempt.example/')).toBeUndefined();
    expect(await one.checkUrl('https://public.example/')).toBeUndefined();
    expect(await one.checkUrl('https://10.0.0.1/')).toMatchObject({ code: 'forbidden_address' });
  });
});

describe('the environment', () => {
  it('has no effect: neither proxies nor NODE_TLS_REJECT_UNAUTHORIZED', async () => {
    const names = await nameServer();
    names.set(NAME, ['127.0.0.1']);
    const { url } = await receiver(answering(204));
    const untrusted = `https://${NAME}:${await secureReceiver()}/`;
    // Use a child process, because Jest's `process.env` is a copy, which Node itself does not read.
    const script = `
      import { WebhookSender } from '../../../dist/webhooks/sending/webhook-sender.js';
      const sender = new WebhookSender({ allow: ['127.0.0.1'], dns: '${names.address}' });
      const attempt = { eventId: 'e', body: '{}', apiVersion: 'v', secrets: [], userAgent: 'u', at: new Date() };
      for (const url of ['${url}', '${untrusted}']) console.log((await sender.attempt({ ...attempt, url })).error);
      await sender.close();`;
    const proxies = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'];
    const env = {
      ...process.env,
      ...Object.fromEntries(proxies.map((name) => [name, 'http://127.0.0.1:9'])),
      NODE_USE_ENV_PROXY: '1',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    };
    const args = ['--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, cwd: __dirname });
    expect(stdout.trim().split('\n')).toEqual(['null', 'tls']);
  });
});

describe('literals', () => {
  it('are not connected if they are no longer exempt', async () => {
    const { url, received } = await receiver(answering(204));
    expect(await attempted(url, { allow: [] })).toEqual(failed('forbidden_address'));
    expect(await attempted(url, { allow: ['127.0.0.2'] })).toEqual(failed('forbidden_address'));
    expect(received).toEqual([]);
  });
});

describe('connections', () => {
  it('fail by connect if they are refused, reset or not HTTP', async () => {
    const refused = await rawServer(() => undefined);
    cleanups.pop()?.();
    const reset = await rawServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const closed = await rawServer((socket) => socket.once('data', () => socket.end()));
    const noHttp = await rawServer((socket) => socket.once('data', () => socket.end('220 mail.example ESMTP\r\n')));
    const one = sender();
    for (const port of [refused, reset, closed, noHttp]) {
      expect(await one.attempt(attemptFor(`http://127.0.0.1:${port}/`))).toEqual(failed('connect'));
    }
  });

  it('fail by connect if they end during a response: the result has the status', async () => {
    const { url } = await receiver((_request, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('x', () => response.destroy());
    });
    expect(await attempted(url)).toEqual(failed('connect', 200));
  });

  it('are as many as concurrent attempts, and each is reused', async () => {
    let connections = 0;
    const { url, server, received } = await receiver((_request, response) => setTimeout(() => response.end(), 10));
    server.on('connection', () => (connections += 1));
    const one = sender();
    const worker = async (): Promise<void> => {
      for (let sent = 0; sent < 20; sent += 1) expect((await one.attempt(attemptFor(url))).error).toBeNull();
    };
    await Promise.all(Array.from({ length: 10 }, worker));
    expect(received).toHaveLength(200);
    expect(connections).toBe(10);
  });

  it('are closed with the sender, after attempts in progress have ended', async () => {
    const { url, received } = await receiver(answering(204));
    const one = new WebhookSender({ allow: ['127.0.0.1'] });
    const attempt = one.attempt(attemptFor(url));
    await one.close();
    expect(await attempt).toEqual(failed(null, 204));
    await expect(one.attempt(attemptFor(url))).rejects.toThrow();
    expect(received).toHaveLength(1);
  });
});
