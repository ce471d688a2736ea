import { connect } from 'node:net';

import { RawConnection } from '@items/testing';

import { TestApp } from '../testing/test-app.testing.js';

const MAX_REQUESTS_IN_PROGRESS = 16;
const HELD = 'GET /held HTTP/1.1\r\nHost: x\r\n\r\n';
const GET = 'GET /things HTTP/1.1\r\nHost: x\r\n\r\n';
const LARGE = 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n';
const POST = 'POST /things HTTP/1.1\r\nHost: x\r\nX-API-Key: k\r\nContent-Type: application/json\r\n';

let app: TestApp;
let connection: RawConnection;
beforeAll(async () => {
  app = await TestApp.start();
});
beforeEach(async () => {
  connection = await RawConnection.open(app.port);
});
afterEach(() => {
  connection.destroy();
  app.release();
});
afterAll(() => app.close());

async function statusesOf(count: number): Promise<(number | undefined)[]> {
  const statuses = [];
  while (statuses.length < count) statuses.push((await connection.nextAnswer())?.status);
  return statuses;
}

describe('at most 16 requests of one connection are in progress (SPEC §8.4)', () => {
  it('further requests wait, and all get responses', async () => {
    const count = 5 * MAX_REQUESTS_IN_PROGRESS;
    connection.send(HELD.repeat(count));
    for (let left = count; left > 0; left -= MAX_REQUESTS_IN_PROGRESS) {
      await app.holding(MAX_REQUESTS_IN_PROGRESS);
      const other = await RawConnection.open(app.port);
      other.send(GET);
      expect((await other.nextAnswer())?.status).toBe(200);
      other.destroy();
      expect(app.held).toBe(MAX_REQUESTS_IN_PROGRESS);
      app.release();
    }
    expect(await statusesOf(count)).toEqual(Array.from({ length: count }, () => 200));
  });

  it('nothing more is read from a connection whose requests wait', async () => {
    connection.send(HELD.repeat(MAX_REQUESTS_IN_PROGRESS + 1));
    await app.holding(MAX_REQUESTS_IN_PROGRESS);
    connection.send(GET.repeat(10_000));
    const [socket] = app.connections.all();
    const read = socket?.bytesRead;
    for (let turns = 0; turns < 50; turns += 1) await new Promise((next) => setImmediate(next));
    expect(socket?.bytesRead).toBe(read);
  });

  it('bodies and errors stay in order among waiting requests', async () => {
    const body = `${POST}Content-Length: 12\r\n\r\n{"name":"x"}`;
    connection.send(
      HELD.repeat(MAX_REQUESTS_IN_PROGRESS) + body + GET + body + GET.replace('/things', '/nothing') + GET,
    );
    connection.send('GARBAGE\r\n\r\n');
    await app.holding(MAX_REQUESTS_IN_PROGRESS);
    app.release();
    expect((await statusesOf(MAX_REQUESTS_IN_PROGRESS + 6)).slice(MAX_REQUESTS_IN_PROGRESS)).toEqual([
      201, 200, 201, 404, 200, 400,
    ]);
    await connection.closed(4_000);
  });

  it('CONNECT waits for the responses before it', async () => {
    connection.send(HELD.repeat(2) + 'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n');
    await app.holding(2);
    app.release();
    expect(await statusesOf(3)).toEqual([200, 200, 405]);
    await connection.closed(4_000);
  });

  it('thousands of pipelined requests are served completely and in order, even with large responses', async () => {
    const socket = connect(app.port, '127.0.0.1');
    socket.end(`${GET.repeat(2_000)}${LARGE.repeat(3)}${GET.replace('HTTP/1.1', 'HTTP/1.0')}`);
    let [answers, bytes] = [0, 0];
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      answers += chunk.toString('latin1').split('HTTP/1.1 200').length - 1;
      bytes += chunk.length;
    }
    expect(answers).toBe(2_004);
    expect(bytes).toBeGreaterThan(3 * 8 * 1024 * 1024);
  });
});

describe('no request starts after a response that ends the connection (RFC 9112 §9.6)', () => {
  const HEAD = 'GET /things HTTP/1.1\r\n';

  it.each([
    ['no Host', `${HEAD}\r\n`, 400],
    ['two Hosts', `${HEAD}Host: x\r\nHost: y\r\n\r\n`, 400],
    ['a coding before chunked', `${POST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 400],
    ['an expectation of a request without a body', `${HEAD}Host: x\r\nExpect: 100-continue\r\n\r\n`, 200],
  ])('%s', async (_, text, status) => {
    connection.send(text + HELD);
    connection.send(HELD);
    await connection.closed(4_000);
    expect(connection.answers().map((answer) => [answer.status, answer.header('connection')])).toEqual([
      [status, 'close'],
    ]);
    expect(app.held).toBe(0);
  });

  it('the response to an ignored Upgrade ends the connection, because Node drops the bytes after the request', async () => {
    const upgrade = `${HEAD}Host: x\r\nConnection: keep-alive, Upgrade\r\nUpgrade: h2c\r\n\r\n`;
    connection.send(
      `${HELD}${upgrade}POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: ${String(HELD.length)}\r\n\r\n`,
    );
    await app.holding(1);
    connection.send(HELD);
    app.release();
    await connection.closed(4_000);
    expect(connection.answers().map((answer) => [answer.status, answer.header('connection')])).toEqual([
      [200, 'keep-alive'],
      [200, 'close'],
    ]);
    expect(app.held).toBe(0);
  });

  it('requests behind a body with Expect: 100-continue are served', async () => {
    connection.send(`${POST}Expect: 100-continue\r\nContent-Length: 12\r\n\r\n`);
    expect((await connection.nextAnswer())?.status).toBe(100);
    connection.send('{"name":"x"}' + GET + GET);
    expect(await statusesOf(3)).toEqual([201, 200, 200]);
  });
});
