import { gzipSync } from 'node:zlib';

import { itemInput, type Header } from '@items/testing';

import { admin } from '../harness/clients.js';
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

  it('1 MiB and one byte is 413, whatever it holds', async () => {
    errorOf(await post(json.padEnd(MIB + 1), type), 413);
    errorOf(await post('{'.repeat(MIB + 1), type), 413);
  });

  it('4 MiB are 413, and the client hears it', async () => {
    errorOf(await post(json.padEnd(4 * MIB), type), 413);
  });

  it('the service answers afterwards', async () => {
    expectStatus(await post(json, type), 201);
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
  ])('but %s is JSON', async (type) => {
    expectStatus(await post(json, ['Content-Type', type]), 201);
  });

  it.each(['gzip', 'deflate', 'br', 'zstd', 'x-unknown', 'gzip, gzip'])('Content-Encoding %s', async (coding) => {
    const type: Header = ['Content-Type', 'application/json'];
    errorOf(await post(gzipSync(json), type, ['Content-Encoding', coding]), 415);
    errorOf(await post(json, type, ['Content-Encoding', coding]), 415);
  });
});
