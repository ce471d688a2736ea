import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { translate, type Translation } from './translate.js';

const translation: Translation = {
  url: '/turned?x=1',
  headers: { 'if-match': '"turned"' },
  body: (body) => body,
  response: ({ status, headers, body }) => {
    if (body === 'unforeseen') throw new Error('a change that does not know what came');
    return { status, headers: { ...headers, 'x-turned': 'yes' }, body: body === undefined ? body : { turned: body } };
  },
};

type Write = (response: ServerResponse, message: IncomingMessage) => void;

const JSON_TYPE = 'application/json; charset=utf-8';

describe('A response is translated for each way in which the application writes it', () => {
  let server: Server;
  let write: Write;
  let logged: object[] = [];
  beforeAll(async () => {
    const log = { info: () => undefined, error: (fields: object) => logged.push(fields) };
    server = createServer((message, response) => {
      translate(message, response, translation, log);
      write(response, message);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(() => {
    logged = [];
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  const get = (how: Write, method = 'GET'): Promise<Response> => {
    write = how;
    const { port } = server.address() as AddressInfo;
    return fetch(`http://127.0.0.1:${String(port)}/asked`, { method, headers: { 'If-None-Match': '"x"' } });
  };
  const body = JSON.stringify({ a: 'é' });
  const length = String(Buffer.byteLength(body));

  it.each<[string, Write]>([
    [
      'headers as an object',
      (response) => {
        response.writeHead(201, { 'Content-Type': JSON_TYPE, 'Content-Length': length, 'Set-Cookie': ['a=1', 'b=2'] });
        response.end(body);
      },
    ],
    [
      'headers as a flat list, with a reason',
      (response) => {
        const list = ['content-type', JSON_TYPE, 'content-length', length, 'set-cookie', 'a=1', 'set-cookie', 'b=2'];
        response.writeHead(201, 'Made', list);
        response.end(Buffer.from(body));
      },
    ],
    [
      'headers one by one, and no status line of its own',
      (response) => {
        response.statusCode = 201;
        response.setHeader('Content-Type', JSON_TYPE).setHeader('Content-Length', length);
        response.setHeader('Set-Cookie', ['a=1', 'b=2']);
        response.end(body, 'utf8', () => undefined);
      },
    ],
    [
      'in pieces',
      (response) => {
        response.setHeader('Set-Cookie', ['a=1', 'b=2']);
        response.writeHead(201, { 'content-type': JSON_TYPE });
        for (const byte of Buffer.from(body)) response.write(Buffer.from([byte]));
        response.end();
      },
    ],
  ])('%s', async (_, how) => {
    const answer = await get(how);
    const text = await answer.text();
    expect([answer.status, JSON.parse(text)]).toEqual([201, { turned: { a: 'é' } }]);
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect([answer.headers.get('content-type'), answer.headers.get('x-turned')]).toEqual([JSON_TYPE, 'yes']);
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  it('a body that is not JSON keeps its bytes, and gets the headers', async () => {
    const answer = await get((response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('{"a":1}'));
    expect([await answer.text(), answer.headers.get('x-turned')]).toEqual(['{"a":1}', 'yes']);
    const empty = await get((response) => response.writeHead(204).end());
    expect([empty.status, await empty.text(), empty.headers.get('x-turned')]).toEqual([204, '', 'yes']);
  });

  it('a response that cannot be translated becomes a logged 500 with a fixed message', async () => {
    const headers = { 'content-type': JSON_TYPE, etag: '"x"', 'x-request-id': 'mine' };
    const answer = await get((response) => response.writeHead(200, headers).end('"unforeseen"'));
    expect([answer.status, answer.headers.get('etag'), answer.headers.get('x-request-id')]).toEqual([
      500,
      null,
      'mine',
    ]);
    expect(await answer.json()).toMatchObject({ code: 'internal_error' });
    expect(logged).toEqual([{ err: expect.objectContaining({ message: expect.stringContaining('a change') }) }]);
  });

  it('the application sees the request in the current form', async () => {
    let seen: unknown;
    const answer = await get((response, { url, headers }) => {
      seen = [url, headers['if-match'], headers['if-none-match']];
      response.end();
    });
    await answer.text();
    expect(seen).toEqual(['/turned?x=1', '"turned"', undefined]);
  });
});
