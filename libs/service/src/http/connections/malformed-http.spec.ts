import { RawConnection, rawExchange } from '@items/testing';

import { TestApp } from '../testing/test-app.testing.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.close());

const GET = 'GET /things HTTP/1.1\r\n';
const POST = 'POST /things HTTP/1.1\r\nHost: x\r\nX-API-Key: k\r\nContent-Type: application/json\r\n';

describe('malformed HTTP gets the common error body, and the connection ends (SPEC §7)', () => {
  it.each<[string, string | Buffer, number]>([
    ['a TLS hello', '\x16\x03\x01\x02\x00garbage\r\n\r\n', 400],
    ['a preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['HTTP/2.0 on the request line', 'GET /things HTTP/2.0\r\nHost: x\r\n\r\n', 400],
    ['an unknown method in HTTP/2', 'FROBNICATE /things HTTP/2.0\r\nHost: x\r\n\r\n', 400],
    ['an unknown method without Host', 'FROBNICATE /things HTTP/1.1\r\n\r\n', 400],
    ['an unknown method with two Hosts', 'FROBNICATE /things HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n', 400],
    ['an unknown method and a bad field', 'FROBNICATE /things HTTP/1.1\r\nHost: x\r\nno field\r\n\r\n', 400],
    ['an unknown method and a bad path', 'FROBNICATE /things/%ZZ HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a method that is none', 'FR(B) /things HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a method alone', 'FROBNICATE', 400],
    ['an unknown method and half a line', 'FROBNICATE /things HT', 400],
    ['no Host', `${GET}\r\n`, 400],
    ['two Hosts', `${GET}Host: x\r\nHost: x\r\n\r\n`, 400],
    ['a Host that is none', `${GET}Host: x/y\r\n\r\n`, 400],
    ['a header without a colon', `${GET}Host: x\r\nnonsense\r\n\r\n`, 400],
    ['raw bytes in the path', Buffer.from('GET /things/\xe9 HTTP/1.1\r\nHost: x\r\n\r\n', 'latin1'), 400],
    ['two lengths', `${POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400],
    ['a length and chunks', `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ['another coding before chunks', `${POST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 400],
    ['chunks of chunks', `${POST}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`, 400],
    ['two types of content', `${POST}Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}`, 400],
    ['the same type of content twice', `${POST}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`, 400],
    ['a bad chunk', `${POST}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`, 400],
    ['an unknown transfer coding', `${POST}Transfer-Encoding: gzip\r\n\r\n`, 400],
    ['a header too large', `${GET}Host: x\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`, 431],
    ['a path too long', `GET /${'a'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ])('%s', async (_, bytes, status) => {
    const connection = await RawConnection.open(app.port);
    connection.send(bytes);
    const answer = await connection.nextAnswer(2000);
    expect(answer?.status).toBe(status);
    expect(answer?.json()).toEqual({ error: expect.any(String) as string, code: expect.any(String) as string });
    expect(answer?.header('content-type')).toBe('application/json; charset=utf-8');
    expect(answer?.header('connection')).toBe('close');
    for (const name of ['x-request-id', 'api-version', 'x-content-type-options'])
      expect(answer?.header(name)).toBeTruthy();
    await connection.closed(3000);
    expect(connection.answers()).toHaveLength(1);
  });

  it('gets its response after those of earlier requests', async () => {
    const connection = await RawConnection.open(app.port);
    connection.send(`GET /slow HTTP/1.1\r\nHost: x\r\n\r\n${GET}Host: x\r\n\r\nGARBAGE\r\n\r\n`);
    await connection.closed(3000);
    expect(connection.answers().map((answer) => answer.status)).toEqual([200, 200, 400]);
  });

  it('is logged', async () => {
    await rawExchange(app.port, 'GARBAGE\r\n\r\n');
    expect(app.log.at(-1)).toMatchObject({ status: 400, request_id: expect.any(String) as string });
  });
});

describe('a method that Node does not know is handled like any other one (SPEC §1, §4)', () => {
  const ALLOW = 'GET, HEAD, POST, OPTIONS';
  it.each([
    ['FOO /things HTTP/1.1\r\nHost: x\r\n\r\n', 405, ALLOW],
    ['FOO /things/1?a=b HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'GET, HEAD, OPTIONS'],
    ['FOO /things HTTP/1.0\r\n\r\n', 405, ALLOW],
    ['FOO /things HTTP/1.1\nHost: x\n\n', 405, ALLOW],
    ['FOO http://other.example/things HTTP/1.1\r\nHost: x\r\n\r\n', 405, ALLOW],
    ['get /things HTTP/1.1\r\nHost: x\r\n\r\n', 405, ALLOW],
    ['GETS /things HTTP/1.1\r\nHost: x\r\n\r\n', 405, ALLOW],
    ['DESCRIBE /things HTTP/1.1\r\nHost: x\r\n\r\n', 405, ALLOW],
    ['PRI /things HTTP/1.1\r\nHost: x\r\n\r\n', 405, ALLOW],
    ['SOURCE /things HTTP/1.1\r\nHost: x\r\n\r\n', 405, ALLOW],
    [`${'G'.repeat(9_000)} /things HTTP/1.1\r\nHost: x\r\n\r\n`, 405, ALLOW],
    ['FOO /nothing HTTP/1.1\r\nHost: x\r\n\r\n', 404, undefined],
    ['FOO * HTTP/1.1\r\nHost: x\r\n\r\n', 404, undefined],
  ])('%j is %i', async (text, status, allow) => {
    const { answer } = await rawExchange(app.port, text);
    expect([answer?.status, answer?.header('allow')]).toEqual([status, allow]);
  });

  it('may follow a request whose body has no line end', async () => {
    const post = `${POST}Content-Length: 12\r\n\r\n{"name":"x"}`;
    const connection = await RawConnection.open(app.port);
    connection.send(`${post}FOO /things HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine\r\n\r\n`);
    expect((await connection.nextAnswer())?.status).toBe(201);
    const answer = await connection.nextAnswer();
    expect([answer?.status, answer?.header('x-request-id')]).toEqual([405, 'mine']);
    await connection.closed(3_000);
  });
});

describe('below /oauth an error of the parser has the form of the OAuth RFCs (SPEC §1.4)', () => {
  it.each([
    ['an unknown method', 'FOO /oauth/token HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['headers too large', `GET /oauth/authorize?x=${'y'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ['a header too large', `POST /oauth/token HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(17_000)}\r\n\r\n`, 431],
    ['a bad field', 'POST /oauth/token HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n', 400],
    ['the absolute form', 'POST http://x/oauth/token HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n', 400],
    ['a version of HTTP', 'POST /oauth/token HTTP/3.0\r\nHost: x\r\n\r\n', 400],
    ['no Host', 'POST /oauth/token HTTP/1.1\r\n\r\n', 400],
    ['the absolute form of a path', 'GET http://x/oauth/nothing HTTP/1.1\r\nHost: x\r\n\r\n', 404],
  ])('%s', async (_, text, status) => {
    const { answer } = await rawExchange(app.port, text);
    expect(answer?.status).toBe(status);
    expect(answer?.json()).toEqual({ error: 'invalid_request', error_description: expect.any(String) as string });
    expect(answer?.header('cache-control')).toBe('no-store');
  });
});

describe('bad percent-encoding returns 400 before anything else', () => {
  it.each([
    '/things/%ZZ',
    '/nothing/%',
    '/things/%C3%28',
    '/things?a=%ZZ',
    '/nothing?%FF',
    '/things#x',
    '/things/%ED%A0%80',
  ])('%s', async (target) => {
    const { answer } = await rawExchange(app.port, `PATCH ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(answer?.status).toBe(400);
    expect(answer?.json()).toMatchObject({ code: 'malformed_request' });
  });
});

describe('a request that HTTP allows is served', () => {
  it.each([
    ['HTTP/1.0 without Host', 'GET /things HTTP/1.0\r\n\r\n'],
    ['an empty Host', `${GET}Host:\r\n\r\n`],
    ['the absolute form', 'GET http://x/things HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an Upgrade that is not followed', `${GET}Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
    ['an upgrade to HTTP/2', `${GET}Host: [::1]:80\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n`],
  ])('%s', async (_, text) => {
    expect((await rawExchange(app.port, text)).answer?.status).toBe(200);
  });

  it.each([
    ['example.com:443', 'GET, HEAD, POST, OPTIONS'],
    ['/things', 'GET, HEAD, POST, OPTIONS'],
  ])('CONNECT %s returns 405', async (target, allow) => {
    const { answer } = await rawExchange(app.port, `CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect([answer?.status, answer?.header('allow')]).toEqual([405, allow]);
  });
});
