import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { HttpClient } from './http-client.js';
import { rawExchange } from './raw-exchange.js';

describe('HttpClient and rawExchange', () => {
  let server: Server;
  let port: number;
  let client: HttpClient;
  let refusals = 0;
  let drops = 0;

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/silent') return;
      if (request.url === '/busy' && refusals++ === 0) {
        response.writeHead(429, { 'Retry-After': '0' }).end();
        return;
      }
      if (request.url === '/dropped' && drops++ === 0) {
        request.socket.destroy();
        return;
      }
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.setHeader('Set-Cookie', ['a=1', 'b=2']);
        const { method, url, rawHeaders } = request;
        const { remoteAddress } = request.socket;
        response.end(JSON.stringify({ method, url, rawHeaders, remoteAddress, body: String(Buffer.concat(chunks)) }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
    client = new HttpClient({ baseUrl: `http://127.0.0.1:${port}`, headers: [['X-API-Key', 'k']] });
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('sends targets byte for byte', async () => {
    for (const target of ['/items/%00', '/items/%ZZ', '/items//..//?a[]=%FF&a', '*']) {
      expect((await client.get(target)).json()).toMatchObject({ url: target });
    }
  });

  it('sends headers as often and in the order they are given', async () => {
    const { rawHeaders } = (await client.get('/', ['x-twice', '1'], ['X-Twice', '2'])).json() as {
      rawHeaders: string[];
    };
    expect(rawHeaders.slice(0, 8)).toEqual([
      'Host',
      `127.0.0.1:${port}`,
      'X-API-Key',
      'k',
      'x-twice',
      '1',
      'X-Twice',
      '2',
    ]);
  });

  it('sends JSON and raw bodies with their length', async () => {
    expect((await client.post('/', { name: 'ä' })).json()).toMatchObject({ body: '{"name":"ä"}' });
    const raw = await client.send('PUT', '/', { body: Buffer.from('{"') });
    expect(raw.json()).toMatchObject({ body: '{"' });
    expect(raw.text).not.toContain('Content-Type');
  });

  it('shows every line of a header', async () => {
    const answer = await client.get('/');
    expect(answer.all('set-cookie')).toEqual(['a=1', 'b=2']);
    expect(answer.header('SET-COOKIE')).toBe('a=1, b=2');
    expect(answer.header('absent')).toBeUndefined();
  });

  it('never waits without a time-out', async () => {
    await expect(client.withOptions({ timeoutMs: 50 }).get('/silent')).rejects.toThrow('no answer within 50 ms');
    await expect(rawExchange(port, 'GET /silent HTTP/1.1\r\nHost: x\r\n\r\n', { timeoutMs: 50 })).rejects.toThrow(
      'in vain',
    );
  });

  it('waits for the quota after a 429 with `retriesAfter429`', async () => {
    expect((await client.withOptions({ retriesAfter429: true }).get('/busy')).status).toBe(200);
  });

  it.each([
    [true, 'repeats a request'],
    [false, 'does not repeat a request'],
  ])('with resends: %s, it %s whose kept connection is closed', async (resends) => {
    await client.get('/');
    drops = 0;
    const dropped = client.withOptions({ resends }).get('/dropped');
    if (resends) expect((await dropped).status).toBe(200);
    else await expect(dropped).rejects.toThrow('socket hang up');
  });

  it('fails the request to which an observer objects', async () => {
    const strict = client.withOptions({
      observers: [
        ({ answer }) => {
          throw new Error(`seen ${answer.status}`);
        },
      ],
    });
    await expect(strict.get('/')).rejects.toThrow('seen 200');
  });

  it('speaks from another address of this host', async () => {
    const answer = await client.withOptions({ localAddress: '127.0.0.9' }).get('/');
    expect(answer.json()).toMatchObject({ remoteAddress: '127.0.0.9' });
  });

  it('exchanges any bytes, and notices a connection closed without a response', async () => {
    const { answer } = await rawExchange(port, 'GET /raw HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(answer?.json()).toMatchObject({ url: '/raw' });
    server.once('clientError', (_error, socket) => socket.destroy());
    expect((await rawExchange(port, 'garbage\r\n\r\n')).answer).toBeUndefined();
  });
});
