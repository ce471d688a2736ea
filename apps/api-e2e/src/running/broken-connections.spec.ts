import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { connect as connectTcp, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { HttpClient, isLongForm, startApp, TEST_CERTIFICATE, type RunningApp } from '@items/testing';

import { expectStatus } from '../harness/reading.js';
import { databaseUnderTest, describeStartedOnce } from '../harness/service.js';

const HOST = 'Host: x\r\n';
const CONCURRENT = 48;
/** Number of bytes between two cuts of a request. */
const STEP = isLongForm ? 1 : 3;
const BYTES = isLongForm ? 'each byte' : 'each third byte';
type End = 'reset' | 'ended';
const ENDS: readonly End[] = ['reset', 'ended'];

function requestsWith(key: string): Record<string, string> {
  const credential = `X-API-Key: ${key}\r\n`;
  const json = `${HOST}${credential}Content-Type: application/json\r\n`;
  const form = 'grant_type=client_credentials&client_id=a&client_secret=b';
  const get = `GET /items?limit=1 HTTP/1.1\r\n${HOST}${credential}\r\n`;
  return {
    'an item': `GET /items/x HTTP/1.1\r\n${HOST}${credential}\r\n`,
    'a list': get,
    'a creation': `POST /items HTTP/1.1\r\n${json}Content-Length: 12\r\n\r\n{"name":"x"}`,
    chunks: `POST /items HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\nc\r\n{"name":"x"}\r\n0\r\n\r\n`,
    'an expectation': `POST /items HTTP/1.1\r\n${json}Expect: 100-continue\r\nContent-Length: 12\r\n\r\n{"name":"x"}`,
    HEAD: `HEAD /items HTTP/1.1\r\n${HOST}${credential}\r\n`,
    OPTIONS: `OPTIONS /items HTTP/1.1\r\n${HOST}\r\n`,
    'an unknown path': `GET /nothing HTTP/1.1\r\n${HOST}\r\n`,
    'a method not supported': `PATCH /items HTTP/1.1\r\n${HOST}\r\n`,
    'an unknown method': `FOO /items HTTP/1.1\r\n${HOST}\r\n`,
    'a token': `POST /oauth/token HTTP/1.1\r\n${HOST}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${String(form.length)}\r\n\r\n${form}`,
    'a page': `GET /oauth/authorize?client_id=a HTTP/1.1\r\n${HOST}Accept: text/html\r\n\r\n`,
    'several in a row': get + get + get,
    CONNECT: `CONNECT a:1 HTTP/1.1\r\n${HOST}\r\n`,
    'CONNECT behind others': `${get}${get}CONNECT a:1 HTTP/1.1\r\n${HOST}\r\n`,
    'an upgrade': `GET /items HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    'not HTTP': 'GARBAGE\r\n\r\n',
  };
}

/** Cuts each request at each position, with each way to end a connection. */
function* cuts(texts: readonly string[]): Generator<[text: string, end: End]> {
  for (const text of texts)
    for (let length = 1; length <= text.length; length += STEP)
      for (const end of ENDS) yield [text.slice(0, length), end];
}

function finish(socket: Socket, end: End): void {
  if (end === 'reset') socket.resetAndDestroy();
  else socket.destroySoon();
}

async function breakOff(port: number, text: string, end: End): Promise<void> {
  const socket = connectTcp(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const closed = once(socket, 'close').catch(() => undefined);
  socket.write(text, () => {
    finish(socket, end);
  });
  await closed;
}

async function inParallel<T>(tasks: Iterable<T>, run: (task: T) => Promise<void>): Promise<void> {
  const queue = tasks[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await run(next.value);
  };
  await Promise.all(Array.from({ length: CONCURRENT }, work));
}

/** Number of open sockets and files of a process; undefined if the system does not show it. */
function openIn({ process: { pid } }: RunningApp): number | undefined {
  const folder = `/proc/${String(pid)}/fd`;
  return existsSync(folder) ? readdirSync(folder).length : undefined;
}

async function settles(app: RunningApp, before: number | undefined): Promise<void> {
  const deadline = performance.now() + 15_000;
  while (before !== undefined && (openIn(app) ?? 0) > before && performance.now() < deadline)
    await new Promise((next) => setTimeout(next, 50));
  expect(openIn(app)).toBeLessThanOrEqual(before ?? Number.NaN);
}

describeStartedOnce('§7 A client that disconnects, after any byte, has no effect on other clients', () => {
  let app: RunningApp;
  let client: HttpClient;
  let before: number | undefined;

  const start = async (https: boolean): Promise<void> => {
    app = await startApp({ database: databaseUnderTest(), https });
    const headers = [['X-API-Key', app.adminKey]] as const;
    client = new HttpClient({ baseUrl: app.baseUrl, ca: TEST_CERTIFICATE.cert, headers });
    expectStatus(await client.get('/items'), 200);
    before = openIn(app);
  };
  afterEach(() => app.stop('SIGKILL'));

  it(`each kind of request, reset or ended at ${BYTES}`, async () => {
    await start(false);
    const requests = requestsWith(app.adminKey);
    for (const [kind, text] of Object.entries(requests)) {
      await inParallel(cuts([text]), ([part, end]) => breakOff(app.port, part, end));
      expect([kind, app.process.isRunning]).toEqual([kind, true]);
      expectStatus(await client.get('/items'), 200);
    }
    await settles(app, before);
    expect(app.process.log()).not.toMatch(/"level":"(error|fatal)"/);
  });

  it(`a TLS connection, reset or ended alternately at ${BYTES} of its handshake and request`, async () => {
    await start(true);
    const through = await CuttingRelay.to(app.port);
    const whole = await through.send(Number.POSITIVE_INFINITY, 'ended');
    const lengths = Array.from({ length: Math.ceil(whole / STEP) }, (_, index) => 1 + index * STEP);
    await inParallel(lengths, async (length) => {
      await through.send(length, length % 2 === 0 ? 'reset' : 'ended');
    });
    through.close();
    expectStatus(await client.get('/items'), 200);
    await settles(app, before);
    expect(app.process.log()).not.toMatch(/"level":"(error|fatal)"/);
  });
});

/** Forwards the bytes of a TLS client to the service, up to a position. */
class CuttingRelay {
  private constructor(
    private readonly server: Server,
    private readonly limits: { length: number; end: End; sent: (bytes: number) => void }[],
  ) {}

  static async to(port: number): Promise<CuttingRelay> {
    const limits: CuttingRelay['limits'] = [];
    const server = createServer((client) => {
      const { length, end, sent } = limits.shift()!;
      const service = connectTcp(port, '127.0.0.1');
      let bytes = 0;
      client.on('data', (chunk: Buffer) => {
        const part = chunk.subarray(0, length - bytes);
        bytes += part.length;
        service.write(part, () => {
          if (bytes >= length) finish(service, end);
        });
      });
      client.on('error', () => undefined).on('close', () => service.destroy());
      service.on('error', () => undefined).on('data', (chunk: Buffer) => client.write(chunk));
      service.on('close', () => {
        sent(bytes);
        client.destroy();
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new CuttingRelay(server, limits);
  }

  /** @returns the number of bytes that the client has sent. */
  async send(length: number, end: End): Promise<number> {
    return new Promise((sent) => {
      this.limits.push({ length, end, sent });
      const { port } = this.server.address() as AddressInfo;
      const socket = connectTls({ port, host: '127.0.0.1', ca: TEST_CERTIFICATE.cert, servername: 'localhost' });
      socket.on('error', () => undefined).resume();
      socket.write(`GET /health/live HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
    });
  }

  close(): void {
    this.server.close();
  }
}
