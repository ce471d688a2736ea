import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

import type { FastifyReply } from 'fastify';

import { HeaderLines, type HeaderValues } from './header-lines.js';
import { sendText } from './send-text.js';

/** As much of Fastify's reply as is used. */
function replyOf(raw: ServerResponse, headers: HeaderValues): FastifyReply {
  const getHeaders = (): object => ({ ...raw.getHeaders(), ...headers });
  return { raw, sent: false, getHeaders } as unknown as FastifyReply;
}

/** What goes over the wire, but for the date. @param send answers one request. */
async function sent(head: string, send: (raw: ServerResponse) => void): Promise<string> {
  const server = createServer((_message, raw) => send(raw)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').end(head);
  let text = '';
  for await (const bytes of client) text += String(bytes);
  server.close();
  return text.replace(/Date: [^\r]+/g, 'Date: now');
}

const GET = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const HEADERS: HeaderValues = {
  'x-request-id': 'one',
  'cache-control': 'private, no-cache',
  'x-ratelimit-remaining': 12,
  link: '</a?b=%C3%A9>; rel="next"',
  'www-authenticate': ['Bearer realm="a"', 'Basic realm="a"'],
  'content-language': '',
};

describe('An answer of kept lines', () => {
  it.each([
    ['200', 200, GET, HEADERS, '{"name":"Müg 😀"}'],
    ['201 over HTTP/1.0', 201, 'GET / HTTP/1.0\r\n\r\n', HEADERS, '{}'],
    ['404 to HEAD', 404, GET.replace('GET', 'HEAD'), HEADERS, '{"error":"no"}'],
    ['304', 304, GET, HEADERS, undefined],
    ['204', 204, GET, {}, undefined],
    ['one that ends its connection', 503, GET.replace('close', 'keep-alive'), { connection: 'close' }, '{}'],
    ['one with a type of its own', 200, GET, { ...HEADERS, 'content-type': 'application/problem+json' }, '{}'],
  ])('%s: is byte for byte the one that Node writes, also the second time', async (_, status, head, headers, text) => {
    const byNode = await sent(head, (raw) => {
      const type =
        text === undefined || 'content-type' in headers ? {} : { 'content-type': 'application/json; charset=utf-8' };
      const list = Object.entries({ ...headers, ...type }).flat();
      if (text !== undefined) list.push('content-length', String(Buffer.byteLength(text)));
      raw.writeHead(status, list).end(text);
    });
    const kept = jest.spyOn(HeaderLines.prototype, 'of');
    for (let time = 0; time < 2; time += 1) {
      const byUs = await sent(head, (raw) => {
        raw.statusCode = status;
        sendText(replyOf(raw, headers), text);
      });
      expect(byUs).toBe(byNode);
    }
    expect(kept.mock.results.map(({ value }) => typeof value)).toEqual(
      Array(2).fill('connection' in headers ? 'undefined' : 'string'),
    );
    kept.mockRestore();
  });

  it('says what is new, and how long its connection is kept, on a connection that goes on', async () => {
    const head = GET.replace('close', 'keep-alive') + GET;
    const answerBy = (send: (raw: ServerResponse, headers: HeaderValues) => void): ((raw: ServerResponse) => void) => {
      let n = 0;
      return (raw) => send(raw, { ...HEADERS, 'x-request-id': String((n += 1)), 'content-type': 'text/plain' });
    };
    const byNode = answerBy((raw, headers) => {
      raw.writeHead(200, [...Object.entries(headers).flat(), 'content-length', '1'] as string[]).end('a');
    });
    const byUs = answerBy((raw, headers) => sendText(replyOf(raw, headers), 'a'));
    const answers = await sent(head, byUs);
    expect(answers).toBe(await sent(head, byNode));
    expect(answers).toMatch(/x-request-id: 1\r\n[^]*Keep-Alive: timeout=\d+\r\n[^]*x-request-id: 2\r\n/);
  });

  it('holds what was set past Fastify as well', async () => {
    const answer = await sent(GET, (raw) => {
      raw.setHeader('x-own', 'a');
      sendText(replyOf(raw, HEADERS), '{}');
    });
    expect(answer.match(/x-own: a\r\n/g)).toHaveLength(1);
    expect(answer.match(/x-request-id: one\r\n/g)).toHaveLength(1);
  });
});

describe('The header lines of answers', () => {
  it('are looked at again when a value changes, and only then say something else', () => {
    const lines = new HeaderLines();
    expect(lines.of({ etag: '"a"', 'x-ratelimit-limit': 5 })).toBe('etag: "a"\r\nx-ratelimit-limit: 5\r\n');
    expect(lines.of({ etag: '"b"', 'x-ratelimit-limit': 5 })).toBe('etag: "b"\r\nx-ratelimit-limit: 5\r\n');
    expect(lines.of({ 'x-ratelimit-limit': '5', etag: undefined })).toBe('x-ratelimit-limit: 5\r\netag: \r\n');
  });

  it.each(['a\r\nset-cookie: b', 'a\nb', 'a\0', 'ā'])('refuse %j, as Node does, also behind a good one', (value) => {
    const lines = new HeaderLines();
    lines.of({ etag: 'good' });
    expect(() => lines.of({ etag: value })).toThrow(expect.objectContaining({ code: 'ERR_INVALID_CHAR' }));
    expect(() => lines.of({ link: [value] })).toThrow(expect.objectContaining({ code: 'ERR_INVALID_CHAR' }));
    expect(() => lines.of({ [value]: 'a' })).toThrow(expect.objectContaining({ code: 'ERR_INVALID_HTTP_TOKEN' }));
    expect(lines.of({ etag: 'good' })).toBe('etag: good\r\n');
  });

  it.each(['connection', 'transfer-encoding', 'content-length', 'date'])('leave %s to Node', (name) => {
    expect(new HeaderLines().of({ etag: 'a', [name]: 'b' })).toBeUndefined();
  });

  it('are kept for few names, and only where they are short', () => {
    const lines = new HeaderLines();
    const kept = lines['kept'];
    lines.of({ link: 'x'.repeat(10_000) });
    expect(kept.size).toBe(0);
    for (let n = 0; n < 1000; n += 1) lines.of({ [`x-${String(n)}`]: 'a' });
    expect(kept.size).toBe(64);
    lines.of({ 'x-1': 'x'.repeat(10_000) });
    expect(lines.of({ 'x-1': 'a' })).toBe('x-1: a\r\n');
    expect([...kept.values()].every(({ text }) => text.length <= 512)).toBe(true);
  });
});
