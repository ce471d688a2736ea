import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

import {
  dueAnswer,
  endWith,
  isPausedByNode,
  promiseIdle,
  takesLines,
  writeHeadLines,
  writtenOn,
} from './node-internals.js';

/** More than an operating system takes on a connection that is not read. */
const LARGE = Buffer.alloc(64 * 1024 * 1024);

describe('What Node does not document of the sockets of its HTTP server', () => {
  let server: Server;
  let client: Socket;

  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  });
  afterEach(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });

  async function request(): Promise<[IncomingMessage, ServerResponse]> {
    const asked = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    return asked;
  }

  it('tells the answer that is due, and that none is', async () => {
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const [socket] = await connected;
    expect(dueAnswer(socket)).toBeUndefined();
    const [, response] = await request();
    expect(dueAnswer(socket)).toBe(response);
    response.end();
    await once(response, 'close');
    expect(dueAnswer(socket)).toBeUndefined();
  });

  it('tells what has left and what waits, and that Node reads no further until it has left', async () => {
    const [message, response] = await request();
    const { socket } = message;
    expect(isPausedByNode(socket)).toBe(false);
    client.pause();
    response.end(LARGE);
    const { left, waiting } = writtenOn(socket);
    expect(waiting).toBeGreaterThan(0);
    expect(left + waiting).toBeGreaterThanOrEqual(LARGE.length);
    const paused = once(socket, 'pause');
    client.write('GET /2 HTTP/1.1\r\nHost: a\r\n\r\n');
    await paused;
    expect(isPausedByNode(socket)).toBe(true);
    client.resume();
    await once(socket, 'drain');
    expect(writtenOn(socket).waiting).toBe(0);
    expect(writtenOn(socket).left).toBeGreaterThanOrEqual(LARGE.length);
  });

  it('says how long a connection is kept, where Node itself sets no timer', async () => {
    server.keepAliveTimeout = 0;
    const [{ socket }, response] = await request();
    promiseIdle(response, 10_000);
    const answered = once(client, 'data') as Promise<[Buffer]>;
    response.end();
    await once(response, 'close');
    expect(String(await answered)).toContain('\r\nConnection: keep-alive\r\nKeep-Alive: timeout=10\r\n');
    expect(socket.timeout ?? 0).toBe(0);
  });

  it('takes lines that are made already, in front of those that it makes', async () => {
    const [, response] = await request();
    expect(takesLines(response)).toBe(true);
    const answered = once(client, 'data') as Promise<[Buffer]>;
    writeHeadLines(response, 'etag: "a"\r\n', ['content-length', '0']);
    response.end();
    expect(String(await answered)).toMatch(/^HTTP\/1\.1 200 OK\r\netag: "a"\r\ncontent-length: 0\r\nDate: /);
  });

  it('writes the head itself where headers were set past Fastify, or another writes it', async () => {
    const [, response] = await request();
    response.setHeader('etag', '"a"');
    expect(takesLines(response)).toBe(false);
    response.removeHeader('etag');
    expect(takesLines(response)).toBe(true);
    const patched = jest.spyOn(ServerResponse.prototype, 'writeHead');
    expect(takesLines(response)).toBe(false);
    patched.mockRestore();
    response.writeHead = () => response;
    expect(takesLines(response)).toBe(false);
  });

  it.each([
    ['one write takes head and body, where the head still waits', false],
    ['the body goes as Node sends it, where the head has left', true],
  ])('%s', async (_what, isHeadGone) => {
    const [{ socket }, response] = await request();
    const write = jest.spyOn(socket, 'write');
    const bytes = Buffer.from('{"name":"Müg"}').toString('latin1');
    response.writeHead(200, ['content-length', String(bytes.length)]);
    if (isHeadGone) response.flushHeaders();
    const answered = once(client, 'data') as Promise<[Buffer]>;
    endWith(response, bytes);
    await once(response, 'close');
    const texts = write.mock.calls.map(([text]) => String(text));
    expect(texts.length > 1).toBe(isHeadGone);
    expect(texts.join('')).toContain(`\r\n\r\n${bytes}`);
    expect((await answered).toString()).toMatch(/^HTTP\/1\.1 200 OK\r\ncontent-length: 15\r\n/);
  });
});
