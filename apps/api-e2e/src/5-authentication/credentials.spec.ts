import { setTimeout as sleep } from 'node:timers/promises';

import type { Header } from '@items/testing';

import { admin, anonymous, createKey, withKey } from '../harness/clients.js';
import { expectStatus, errorOf } from '../harness/reading.js';
import { service } from '../harness/service.js';

const VALID = service.apiKey;
const WELL_FORMED = `itk_${'a'.repeat(49)}`;

/** Too many, too few or invalid characters of a key, or no key. */
const BAD: readonly [title: string, headers: readonly Header[]][] = [
  ['no credential', []],
  ['an empty key', [['X-API-Key', '']]],
  ['an unknown key', [['X-API-Key', WELL_FORMED]]],
  ['a key of the wrong shape', [['X-API-Key', 'itk_short']]],
  ['a prefix of a key', [['X-API-Key', VALID.slice(0, -1)]]],
  ['a key and one character more', [['X-API-Key', `${VALID}x`]]],
  ['a key twice in one header', [['X-API-Key', `${VALID},${VALID}`]]],
  ['a list that holds a key', [['X-API-Key', `x, ${VALID}`]]],
  ['a very long key', [['X-API-Key', 'k'.repeat(8000)]]],
  ['a key with bytes beyond ASCII', [['X-API-Key', '\u00e9\u00ff']]],
  ['SQL for a key', [['X-API-Key', "' OR '1'='1"]]],
  ['a bad bearer token', [['Authorization', 'Bearer abc']]],
  ['a key as a bearer token', [['Authorization', `Bearer ${VALID}`]]],
  ['a bearer without a token', [['Authorization', 'Bearer']]],
  ['bad Basic', [['Authorization', `Basic ${Buffer.from('admin:admin').toString('base64')}`]]],
  ['Basic that is no base64', [['Authorization', 'Basic %%%']]],
  ['Basic without a colon', [['Authorization', `Basic ${Buffer.from('admin').toString('base64')}`]]],
  ['an unknown scheme', [['Authorization', 'Digest username="x"']]],
  ['an empty Authorization', [['Authorization', '']]],
  ['a key in Authorization', [['Authorization', VALID]]],
  ['a cookie', [['Cookie', `x-api-key=${VALID}; session=1`]]],
  ['another header', [['Api-Key', VALID]]],
];

describe('§5 Missing or invalid credentials return 401', () => {
  it.each(BAD)('%s', async (_title, headers) => {
    const first = await anonymous.send('GET', '/items', { headers });
    errorOf(first, 401);
    expect((await anonymous.send('GET', '/items', { headers })).text).toBe(first.text);
    errorOf(await anonymous.send('POST', '/items', { headers, json: { name: 'Lamp' } }), 401);
  });

  it('an unknown key, a wrong one, an expired and a deleted one get the same response', async () => {
    const { id, key } = await createKey();
    expectStatus(await admin.delete(`/api-keys/${id}`), 204);
    const expiring = await createKey();
    expectStatus(await withKey(expiring.key).get('/items'), 200);
    const expiresAt = Date.now() + 2_000;
    const settings = { name: expiring.name, expires_at: new Date(expiresAt).toISOString() };
    expectStatus(await admin.put(`/api-keys/${expiring.id}`, settings), 200);
    await sleep(expiresAt + 20 - Date.now());
    const bad = [WELL_FORMED, 'x', key, expiring.key];
    const answers = await Promise.all(bad.map((one) => withKey(one).get('/items')));
    expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401, 401]);
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  });

  it('a bad bearer adds error="invalid_token"; nothing else does', async () => {
    const bearer = await anonymous.get('/items', ['Authorization', 'Bearer abc']);
    expect(bearer.all('www-authenticate').find((line) => line.startsWith('Bearer'))).toContain('error="invalid_token"');
    const none = await anonymous.get('/items');
    expect(none.all('www-authenticate').join()).not.toContain('error=');
  });

  it('the name of the header is case-insensitive', async () => {
    for (const name of ['x-api-key', 'X-API-KEY', 'X-Api-Key']) {
      expectStatus(await anonymous.get('/items', [name, VALID]), 200);
    }
  });
});

describe('§5 One credential a request: two of them, or one header twice, are 400', () => {
  const twice: readonly [title: string, headers: readonly Header[]][] = [
    [
      'a key and a bearer token',
      [
        ['X-API-Key', VALID],
        ['Authorization', 'Bearer abc'],
      ],
    ],
    [
      'a bearer token and a key',
      [
        ['Authorization', 'Bearer abc'],
        ['X-API-Key', VALID],
      ],
    ],
    [
      'a key and Basic',
      [
        ['X-API-Key', VALID],
        ['Authorization', 'Basic YTpi'],
      ],
    ],
    [
      'a bad key and a bad bearer token',
      [
        ['X-API-Key', 'x'],
        ['Authorization', 'Bearer y'],
      ],
    ],
    [
      'the same key twice',
      [
        ['X-API-Key', VALID],
        ['X-API-Key', VALID],
      ],
    ],
    [
      'two keys',
      [
        ['X-API-Key', VALID],
        ['x-api-key', 'x'],
      ],
    ],
    [
      'a bad and a good key',
      [
        ['X-API-Key', 'x'],
        ['X-API-Key', VALID],
      ],
    ],
    [
      'Authorization twice',
      [
        ['Authorization', 'Bearer x'],
        ['Authorization', 'Basic YTpi'],
      ],
    ],
  ];

  it.each(twice)('%s', async (_title, headers) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      errorOf(await anonymous.send(method, method === 'DELETE' ? '/items/x' : '/items', { headers }), 400);
    }
  });
});

describe('§5 Credentials never in a URL: 400 that says to treat it as exposed', () => {
  const names = [
    'api_key',
    'apikey',
    'api-key',
    'x-api-key',
    'access_token',
    'refresh_token',
    'token',
    'password',
    'client_secret',
  ];

  it.each(names.flatMap((name) => [name, name.toUpperCase(), name.replace(/[a-z]/, (letter) => letter.toUpperCase())]))(
    '?%s=',
    async (name) => {
      for (const client of [anonymous, admin]) {
        const error = errorOf(await client.get(`/items?${name}=the-secret`), 400);
        expect(error.error).toMatch(/exposed/i);
        expect(JSON.stringify(error)).not.toContain('the-secret');
      }
    },
  );

  it.each(['/items?page=1&api_key=x', '/items?api%5Fkey=x', '/items?api_key', '/items?api_key=', '/items/x?token=y'])(
    'at any position: %s',
    async (target) => {
      expect(errorOf(await admin.get(target), 400).error).toMatch(/exposed/i);
    },
  );

  it('a write with a credential in its URL is refused too', async () => {
    expect(errorOf(await admin.post('/items?api_key=x', { name: 'Lamp' }), 400).error).toMatch(/exposed/i);
  });
});
