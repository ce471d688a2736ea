import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { streamOf } from '../nest/responses.js';

const PIECE = 'x'.repeat(65_536);
const PIECES = 1_000;

describe('streamOf', () => {
  let server: Server;
  let made: number;
  let ended: Promise<unknown>;

  beforeEach(async () => {
    made = 0;
    function* pieces(): Generator<string> {
      for (; made < PIECES; made += 1) yield PIECE;
    }
    server = createServer((_, response) => {
      const stream = streamOf(pieces(), response);
      ended = once(stream, 'close');
      response.once('close', () => stream.destroy());
      stream.pipe(response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  async function ask(): Promise<IncomingMessage> {
    const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  }

  it('sends the whole text', async () => {
    let length = 0;
    for await (const chunk of await ask()) length += (chunk as Buffer).length;
    expect([length, made]).toEqual([PIECES * PIECE.length, PIECES]);
  });

  it('produces no piece while the client does not read', async () => {
    const response = await ask();
    let before: number;
    do {
      before = made;
      await new Promise((resolve) => setTimeout(resolve, 100));
    } while (made > before);
    // The socket buffers on both sides take some megabytes.
    expect(made).toBeLessThan(PIECES / 2);
    response.destroy();
    await ended;
  });

  it('stops when the client has disconnected', async () => {
    const response = await ask();
    response.destroy();
    await ended;
    const before = made;
    await new Promise((resolve) => setImmediate(resolve));
    expect(made).toBe(before);
    expect(made).toBeLessThan(PIECES);
  });

  it('leaves turns of the event loop to other requests', async () => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      if (made < PIECES) setImmediate(count);
    };
    const response = await ask();
    count();
    response.resume();
    await once(response, 'end');
    expect(turns).toBeGreaterThan(PIECES / 4);
  });
});
