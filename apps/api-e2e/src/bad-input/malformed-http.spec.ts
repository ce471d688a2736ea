import { createItem } from '../harness/items.js';
import { exchange, expectRawError, HOST_LINE, KEY_LINE } from '../harness/raw.js';

const GET = `GET /items HTTP/1.1\r\n${HOST_LINE}${KEY_LINE}`;

/** Bytes that are not an HTTP request. */
const GARBAGE: readonly [title: string, bytes: string | Uint8Array][] = [
  ['text', 'hello\r\n\r\n'],
  ['only line ends and text', '\r\n\r\n\r\nx\r\n\r\n'],
  ['NUL', Buffer.alloc(64)],
  ['every byte', Buffer.from(Array.from({ length: 256 }, (_, i) => i))],
  ['a TLS greeting', Buffer.from('16030100c8010000c40303', 'hex')],
  ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['an SSH greeting', 'SSH-2.0-OpenSSH_9.0\r\n'],
  ['a SMTP greeting', 'EHLO example.com\r\n'],
  ['a Redis command', '*1\r\n$4\r\nPING\r\n'],
  ['JSON', '{"name":"Lamp"}\r\n\r\n'],
  ['a lower case request line', `get /items http/1.1\r\n${HOST_LINE}\r\n`],
  ['no version', 'GET /items\r\n\r\n'],
  ['HTTP/2.0', `GET /items HTTP/2.0\r\n${HOST_LINE}\r\n`],
  ['HTTP/9.9', `GET /items HTTP/9.9\r\n${HOST_LINE}\r\n`],
  ['HTTP/1', `GET /items HTTP/1\r\n${HOST_LINE}\r\n`],
  ['another protocol', `GET /items FTP/1.1\r\n${HOST_LINE}\r\n`],
  ['no target', `GET HTTP/1.1\r\n${HOST_LINE}\r\n`],
  ['a target with a space', `GET /items x HTTP/1.1\r\n${HOST_LINE}\r\n`],
  ['a target with a control character', `GET /it\u0001ems HTTP/1.1\r\n${HOST_LINE}\r\n`],
  ['an unknown method', `FOO /items HTTP/1.1\r\n${HOST_LINE}\r\n`],
  ['a method with bad characters', `GE(T) /items HTTP/1.1\r\n${HOST_LINE}\r\n`],
  ['a very long method', `${'G'.repeat(9_000)} /items HTTP/1.1\r\n${HOST_LINE}\r\n`],
  ['a header without a colon', `${GET}nonsense\r\n\r\n`],
  ['a header without a name', `${GET}: x\r\n\r\n`],
  ['a header name with a space', `${GET}Na me: x\r\n\r\n`],
  ['a space before the colon', `${GET}Name : x\r\n\r\n`],
  ['a header value with NUL', `${GET}Name: a\u0000b\r\n\r\n`],
  ['a header value with a lone carriage return', `${GET}Name: a\rb\r\n\r\n`],
  ['a header name with bytes beyond ASCII', Buffer.from(`${GET}N\u00e4me: x\r\n\r\n`, 'latin1')],
];

const HOSTS: readonly [title: string, bytes: string][] = [
  ['no Host', `GET /items HTTP/1.1\r\n${KEY_LINE}\r\n`],
  ['two Hosts', `${GET}Host: other.example\r\n\r\n`],
  ['two equal Hosts', `${GET}${HOST_LINE}\r\n`],
];

describe('Bad input: malformed HTTP is 400 with the usual JSON', () => {
  it.each(GARBAGE)('%s', async (_title, bytes) => {
    await expectRawError(bytes, 400, 405, 431);
  });

  it.each(HOSTS)('%s', async (_title, bytes) => {
    await expectRawError(bytes, 400);
  });

  it.each([
    ['one header of 64 KiB', `${GET}Big: ${'x'.repeat(65_536)}\r\n\r\n`],
    [
      'a thousand headers',
      `${GET}${Array.from({ length: 1_000 }, (_, i) => `H${i}: ${'x'.repeat(60)}\r\n`).join('')}\r\n`,
    ],
    ['a URL of 64 KiB', `GET /items?color=${'x'.repeat(65_536)} HTTP/1.1\r\n${HOST_LINE}${KEY_LINE}\r\n`],
    ['a path of 64 KiB', `GET /${'x'.repeat(65_536)} HTTP/1.1\r\n${HOST_LINE}${KEY_LINE}\r\n`],
  ])('headers too large: %s', async (_title, bytes) => {
    await expectRawError(bytes, 431, 414, 400);
  });

  it.each([
    ['CONNECT', `CONNECT service.example:443 HTTP/1.1\r\n${HOST_LINE}\r\n`],
    ['GET *', `GET * HTTP/1.1\r\n${HOST_LINE}${KEY_LINE}\r\n`],
    ['a target without a slash', `GET items HTTP/1.1\r\n${HOST_LINE}${KEY_LINE}\r\n`],
    ['another host’s URL', `GET http://other.example/nothing HTTP/1.1\r\n${HOST_LINE}${KEY_LINE}\r\n`],
    ['an URL of another scheme', `GET ftp://other.example/nothing HTTP/1.1\r\n${HOST_LINE}${KEY_LINE}\r\n`],
  ])('odd targets: %s', async (_title, bytes) => {
    await expectRawError(bytes, 400, 404, 405);
  });

  it.each([
    ['HTTP/1.0 without Host', `GET /items HTTP/1.0\r\n${KEY_LINE}\r\n`],
    ['bare line feeds', `GET /items HTTP/1.1\n${HOST_LINE}${KEY_LINE}\r\n`.replaceAll('\r', '')],
    ['an empty Host', `GET /items HTTP/1.1\r\nHost:\r\n${KEY_LINE}\r\n`],
    ['a Host with a space', `GET /items HTTP/1.1\r\nHost: a b\r\n${KEY_LINE}\r\n`],
    ['a Host with a path', `GET /items HTTP/1.1\r\nHost: a/b?c\r\n${KEY_LINE}\r\n`],
    ['a folded header', `${GET}Name: a\r\n b\r\n\r\n`],
    ['line ends before the request', `\r\n\r\n${GET}\r\n`],
    ['OPTIONS *', `OPTIONS * HTTP/1.1\r\n${HOST_LINE}\r\n`],
    ['a URL in the request line', `GET http://service.example/items HTTP/1.1\r\n${HOST_LINE}${KEY_LINE}\r\n`],
    ['an upgrade to WebSocket', `${GET}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n`],
    ['an upgrade to HTTP/2', `${GET}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n\r\n`],
    ['a fragment', `GET /items#x HTTP/1.1\r\n${HOST_LINE}${KEY_LINE}\r\n`],
    [
      'bytes beyond ASCII in the target',
      Buffer.from(`GET /items/\u00e9 HTTP/1.1\r\n${HOST_LINE}${KEY_LINE}\r\n`, 'latin1'),
    ],
  ])('%s gets a response, never with a 5xx', async (_title, bytes) => {
    const { answer } = await exchange(bytes);
    expect(answer?.status).toBeLessThan(500);
    expect(answer?.text).not.toMatch(/<html/i);
  });

  it('a host in the target has no effect: the metadata contains the base URL', async () => {
    const path = '/.well-known/oauth-authorization-server';
    const [own, foreign] = [path, `http://evil.example${path}`].map(
      (target) => `GET ${target} HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\n\r\n`,
    ) as [string, string];
    const { answer } = await exchange(foreign);
    expect(answer?.text).not.toContain('evil.example');
    expect(answer?.text).toBe((await exchange(own)).answer?.text);
  });

  it.each([
    ['an unknown method', 'FOO /items HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    ['an unknown method on an unknown path', 'FOO /nothing HTTP/1.1\r\nHost: x\r\n\r\n', 404],
  ])('%s gets the response of §4', async (_title, bytes, status) => {
    const answer = await expectRawError(bytes, status);
    if (status === 405) expect(answer.header('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });

  it.each([
    ['an unknown method', 'FOO /oauth/token HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    ['headers too large', `POST /oauth/token HTTP/1.1\r\nHost: x\r\nBig: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
  ])('below /oauth %s has the form of the OAuth RFCs', async (_title, bytes, status) => {
    const { answer } = await exchange(bytes);
    expect([answer?.status, answer?.json()]).toEqual([
      status,
      { error: 'invalid_request', error_description: expect.any(String) as string },
    ]);
  });

  it('after all of it the service still responds', async () => {
    await createItem();
  });
});
