import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { TestApp } from '../testing/test-app.testing.js';

const LIMITS = { inAll: 100, silentPerAddress: 100, readerMs: 1_000 };
const LARGE = 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n';
const SIZE = 8 * 1024 * 1024;

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start({}, LIMITS);
});
afterAll(() => app.close());

function ask(text: string): Socket {
  const socket = connect(app.port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  socket.write(text);
  return socket;
}

describe('clients that do not read their responses are closed (SPEC §8.4)', () => {
  it('a client is closed after one request, a thousand, a CONNECT, or half of another request', async () => {
    const tunnel = 'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n';
    const texts = [LARGE, LARGE.repeat(1_000), `${LARGE}${tunnel}`, `${LARGE}GET /things HTTP/1.1\r\n`];
    const sockets = texts.map(ask);
    await Promise.all(sockets.map((socket) => once(socket, 'readable')));
    await app.connections.drained();
    for (const socket of sockets) socket.destroy();
  });

  it('a client that reads slowly stays connected', async () => {
    const socket = ask(LARGE);
    let received = 0;
    // The operating systems on both sides forward data in pieces of up to a megabyte.
    for (const end = performance.now() + 2 * LIMITS.readerMs; performance.now() < end;) {
      received += (socket.read() as Buffer | null)?.length ?? 0;
      await new Promise((next) => setTimeout(next, 20));
    }
    socket.on('data', (chunk: Buffer) => (received += chunk.length));
    socket.resume().end();
    await new Promise((closed) => socket.once('close', closed));
    expect(received).toBeGreaterThan(SIZE);
  });
});
