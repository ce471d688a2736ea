import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import { LONG_BODY_BYTES, RECEIVED_PIECE_BYTES } from '../limits.js';
import { readBody, wholeBody } from './read-body.js';
import { COUNTED_BY, QUEUED_AT, type ReceivedRequest, RESPONSE } from '../received-request.js';
import { OVERLOADED } from '../scheduling/request-queue.js';

const HEAD = 'POST / HTTP/1.1\r\nhost: localhost\r\n';

describe('wholeBody reads a body that arrived with its head in one piece', () => {
  /** Returns the result of wholeBody() in the turn after the head, and the bytes that are read in the end. */
  async function found(...pieces: readonly string[]): Promise<{ whole: string | undefined; all: string }> {
    const server = createServer((message, response) => {
      void parsed(message).then((result) => response.end(JSON.stringify(result)));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    for (const piece of pieces) {
      socket.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    server.close();
    return JSON.parse(answer.toString().split('\r\n\r\n')[1] ?? '') as { whole: string | undefined; all: string };
  }

  async function parsed(message: IncomingMessage): Promise<object> {
    const ended = once(message, 'end');
    await Promise.resolve();
    const whole = wholeBody(message);
    const bytes = whole ?? (await readBody(message, 100));
    await ended;
    return { whole: whole?.toString(), all: bytes.toString() };
  }

  it('the end of the body is emitted', async () => {
    expect(await found(`${HEAD}content-length: 5\r\n\r\nwhole`)).toEqual({ whole: 'whole', all: 'whole' });
  });

  it.each([
    ['in pieces', [`${HEAD}content-length: 6\r\n\r\nin`, ' two', '']],
    ['after its head', [`${HEAD}content-length: 6\r\n\r\n`, 'in two']],
    ['in chunks', [`${HEAD}transfer-encoding: chunked\r\n\r\n6\r\nin two\r\n0\r\n\r\n`]],
  ])('waits for a body that comes %s', async (_how, pieces) => {
    expect(await found(...pieces)).toEqual({ all: 'in two' });
  });
});

describe('readBody', () => {
  it('does not count the time that the client takes to send as a wait of the request', async () => {
    let nowMs = 10_000;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    try {
      const message: ReceivedRequest = Object.assign(new PassThrough() as unknown as ReceivedRequest, { headers: {} });
      message[QUEUED_AT] = 9000;
      const body = readBody(message, 100);
      nowMs += 8000;
      (message as unknown as PassThrough).end('slow');
      expect((await body).toString()).toBe('slow');
      expect(message[QUEUED_AT]).toBe(17_000);
    } finally {
      clock.mockRestore();
    }
  });

  describe('of a long body', () => {
    interface Turn {
      readonly come: () => void;
      readonly refuse: (error: Error) => void;
    }

    /** A message whose request is in progress, and the slots that it has requested. */
    function longMessage(): { stream: PassThrough; message: ReceivedRequest; turns: Turn[] } {
      const turns: Turn[] = [];
      const waitForSlot = (): Promise<void> => new Promise((come, refuse) => turns.push({ come, refuse }));
      const stream = new PassThrough({ highWaterMark: 2 * LONG_BODY_BYTES });
      const queue = { leave: () => undefined, waitForSlot };
      const response = { headersSent: false } as ServerResponse;
      const message = Object.assign(stream as unknown as ReceivedRequest, {
        headers: {},
        [COUNTED_BY]: queue,
        [RESPONSE]: response,
      });
      return { stream, message, turns };
    }

    const piece = Buffer.alloc(LONG_BODY_BYTES + 1, 'x');

    it('requests a slot after each 64 KiB, for any size of chunks', async () => {
      const { stream, message, turns } = longMessage();
      const body = readBody(message, 1_000_000);
      for (let sent = 0; sent < LONG_BODY_BYTES + RECEIVED_PIECE_BYTES; sent += 1024)
        stream.write(piece.subarray(0, 1024));
      stream.end('end');
      await yieldToEventLoop();
      for (const turn of turns) turn.come();
      expect(await body).toHaveLength(LONG_BODY_BYTES + RECEIVED_PIECE_BYTES + 3);
      expect(turns).toHaveLength(1);
    });

    it('requests a slot before it reads more', async () => {
      const { stream, message, turns } = longMessage();
      const body = readBody(message, 1_000_000);
      stream.write('short');
      await yieldToEventLoop();
      expect(turns).toHaveLength(0);
      stream.write(piece);
      stream.end('end');
      await yieldToEventLoop();
      expect([turns.length, stream.readableLength]).toEqual([1, 3]);
      turns[0]?.come();
      expect(await body).toHaveLength(piece.length + 8);
    });

    it('counts the wait for a slot as a wait of the request', async () => {
      let nowMs = 10_000;
      const clock = jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
      try {
        const { stream, message, turns } = longMessage();
        message[QUEUED_AT] = 9000;
        const body = readBody(message, 1_000_000);
        nowMs += 8000;
        stream.write(piece);
        await yieldToEventLoop();
        nowMs += 500;
        turns[0]?.come();
        await yieldToEventLoop();
        nowMs += 2000;
        stream.end();
        await body;
        expect(message[QUEUED_AT]).toBe(19_000);
      } finally {
        clock.mockRestore();
      }
    });

    it('fails if its slot is late, and drops the rest', async () => {
      const { stream, message, turns } = longMessage();
      const body = expect(readBody(message, 1_000_000)).rejects.toBe(OVERLOADED);
      stream.write(piece);
      await yieldToEventLoop();
      turns[0]?.refuse(OVERLOADED);
      await body;
      stream.end(piece);
      await once(stream, 'end');
    });
  });
});
