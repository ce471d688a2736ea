import { gzipSync } from 'node:zlib';

import { itemInput, type Header } from '@items/testing';

import { admin, unobserved } from '../harness/clients.js';
import { exchange } from '../harness/raw.js';
import { errorOf, expectStatus } from '../harness/reading.js';

const MIB = 1_048_576;
const json = JSON.stringify(itemInput());

function post(body: string | Uint8Array, ...headers: readonly Header[]): ReturnType<typeof admin.send> {
  return admin.send('POST', '/items', { body, headers });
}

describe('§4 Bodies up to 1 MiB, else 413', () => {
  const type: Header = ['Content-Type', 'application/json'];

  it('1 MiB is read', async () => {
    expectStatus(await post(json.padEnd(MIB), type), 201);
    errorOf(await post(`{"name":"${'x'.repeat(MIB - 11)}"}`, type), 422);
  });

  it('1 MiB and one byte is 413 for any content', async () => {
    errorOf(await post(json.padEnd(MIB + 1), type), 413);
    errorOf(await post('{'.repeat(MIB + 1), type), 413);
  });

  it('4 MiB are 413, and the client gets the response', async () => {
    errorOf(await post(json.padEnd(4 * MIB), type), 413);
  });

  it('the service responds afterwards', async () => {
    expectStatus(await post(json, type), 201);
  });
});

describe('§4 Bodies up to 16 KiB if the request asks for a credential or may contain one, else 413', () => {
  const KIB_16 = 16_384;
  const ID = '01890000-0000-7000-8000-000000000000';
  const JSON_TYPE: Header = ['Content-Type', 'application/json'];
  const FORM_TYPE: Header = ['Content-Type', 'application/x-www-form-urlencoded'];
  const ROUTES: [method: string, path: string, type: Header][] = [
    ['POST', '/sessions', JSON_TYPE],
    ['POST', '/users', JSON_TYPE],
    ['PUT', `/users/${ID}`, JSON_TYPE],
    ['PUT', '/users/me/password', JSON_TYPE],
    ['POST', '/api-keys', JSON_TYPE],
    ['PUT', `/api-keys/${ID}`, JSON_TYPE],
    ['POST', `/api-keys/${ID}/rotations`, JSON_TYPE],
    ['POST', '/clients', JSON_TYPE],
    ['PUT', `/clients/${ID}`, JSON_TYPE],
    ['POST', `/clients/${ID}/rotations`, JSON_TYPE],
    ['POST', '/oauth/token', FORM_TYPE],
    ['POST', '/oauth/revoke', FORM_TYPE],
    ['POST', '/oauth/introspect', FORM_TYPE],
    ['POST', '/oauth/interaction/unknown', FORM_TYPE],
  ];

  it.each(ROUTES)('%s %s', async (method, path, type) => {
    const client = path.startsWith('/oauth') || path === '/sessions' ? unobserved : admin;
    const send = (size: number) => client.send(method, path, { body: '{}'.padEnd(size, '&'), headers: [type] });
    expect((await send(KIB_16)).status).not.toBe(413);
    const refused = await send(KIB_16 + 1);
    expect(refused.status).toBe(413);
    expect(refused.text).toContain('16 KiB');
  });

  it('a chunked body has the same limit', async () => {
    const { answer } = await exchange(
      [
        'POST /sessions HTTP/1.1',
        'Host: x',
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
        '',
        (KIB_16 + 1).toString(16),
        ' '.repeat(KIB_16 + 1),
        '0',
        '',
        '',
      ].join('\r\n'),
    );
    expect(answer?.status).toBe(413);
  });

  it('orders of a user are no credential: 1 MiB', async () => {
    const body = '{}'.padEnd(KIB_16 + 1);
    errorOf(await admin.send('POST', `/users/${ID}/orders`, { body, headers: [JSON_TYPE] }), 422);
  });
});

describe('§4 Another content type than JSON: 415', () => {
  const refused: readonly [title: string, headers: readonly Header[]][] = [
    ...[
      'text/plain',
      'text/json',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonx',
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/octet-stream',
      'application/javascript',
      '*/*',
      'application/json; charset=utf-16',
      'application/json; charset=iso-8859-1',
      'application/json; charset=latin1',
    ].map((type): [string, Header[]] => [type, [['Content-Type', type]]]),
    ['none', []],
    ['a malformed one', [['Content-Type', 'json']]],
    ['an empty one', [['Content-Type', '']]],
  ];

  it.each(refused)('%s', async (_title, headers) => {
    const first = await post(json, ...headers);
    errorOf(first, 415);
    expect((await post(json, ...headers)).text).toBe(first.text);
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json ; charset=utf-8',
  ])('%s counts as JSON', async (type) => {
    expectStatus(await post(json, ['Content-Type', type]), 201);
  });

  it.each(['gzip', 'deflate', 'br', 'zstd', 'x-unknown', 'gzip, gzip'])('Content-Encoding %s', async (coding) => {
    const type: Header = ['Content-Type', 'application/json'];
    errorOf(await post(gzipSync(json), type, ['Content-Encoding', coding]), 415);
    errorOf(await post(json, type, ['Content-Encoding', coding]), 415);
  });
});
