import { hashSecret, makeSecret } from '../credentials/secrets/secret.js';
import { ServiceUnavailableError } from '@items/conventions';
import { withMovableClock, type Answer, type Header } from '@items/testing';
import { v7 as uuidv7 } from 'uuid';

import { describeOnBothDatabases, type DatabaseUnderTest } from '../../service/testing/fixture-database.testing.js';
import { putKey, startGuardedApp, type GuardedApp } from './guarded-app.testing.js';

const ADMIN = 'a'.repeat(32);
const CHALLENGES = [
  'Bearer realm="items", resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource"',
  'Basic realm="items", charset="UTF-8"',
  'ApiKey realm="items", header="X-API-Key"',
];

function apiKey(key: string): Header {
  return ['X-API-Key', key];
}

function remaining(answer: Answer): number {
  return Number(answer.header('X-RateLimit-Remaining'));
}

async function makeKey(under: DatabaseUnderTest, scopes: readonly string[], more: object = {}): Promise<string> {
  const key = makeSecret();
  await putKey(under.database, { id: uuidv7(), hash: hashSecret(key), scopes, ...more });
  return key;
}

describeOnBothDatabases('Access to a route', (under) => {
  let guarded: GuardedApp;

  beforeAll(async () => {
    guarded = await startGuardedApp(under.database);
  });
  afterAll(() => guarded.close());

  /** Each client has its own address, and so its own quota. */
  let lastAddress = 1;
  const client = () => guarded.client({ localAddress: `127.0.0.${String((lastAddress += 1))}` });

  it('§5 rule 1: missing or invalid credentials return 401, with a challenge for each method', async () => {
    const wrongChecksum = makeSecret().replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const headers: (Header | undefined)[] = [
      undefined,
      apiKey(''),
      apiKey('x'),
      apiKey(wrongChecksum),
      apiKey(makeSecret()),
      apiKey('b'.repeat(32)),
      apiKey('b'.repeat(8000)),
      ['Authorization', ''],
      ['Authorization', `Basic ${Buffer.from('admin:admin').toString('base64')}`],
      ['Authorization', `ApiKey ${ADMIN}`],
    ];
    const from = client();
    for (const header of headers) {
      const answer = await from.get('/read', ...(header === undefined ? [] : [header]));
      expect([header, answer.status]).toEqual([header, 401]);
      expect(answer.all('WWW-Authenticate')).toEqual(CHALLENGES);
    }
    const bearer = await from.get('/read', ['Authorization', 'Bearer abc']);
    expect(bearer.status).toBe(401);
    expect(bearer.all('WWW-Authenticate')[0]).toContain(
      'Bearer realm="items", error="invalid_token", resource_metadata=',
    );
  });

  it('§5 rule 2: a valid credential without permission returns 403, which names the scope', async () => {
    const key = await makeKey(under, ['items:read']);
    expect((await client().get('/read', apiKey(key))).status).toBe(200);
    const answer = await client().get('/write', apiKey(key));
    expect(answer.status).toBe(403);
    expect(answer.header('WWW-Authenticate')).toBe('Bearer error="insufficient_scope", scope="items:write"');
    expect((await client().get('/write', apiKey(ADMIN))).status).toBe(200);
  });

  it('an expired key is invalid', async () => {
    const expired = await makeKey(under, ['items:read'], { expiresAt: Date.now() - 1 });
    expect((await client().get('/read', apiKey(expired))).status).toBe(401);
    await withMovableClock(async (pass) => {
      const ending = await makeKey(under, ['items:read'], { expiresAt: Date.now() + 1000 });
      expect((await client().get('/read', apiKey(ending))).status).toBe(200);
      pass(1001);
      expect((await client().get('/read', apiKey(ending))).status).toBe(401);
    });
  });

  it('two credentials, or one header twice: 400, also with valid ones, and counted by address', async () => {
    const from = client();
    const pairs: [Header, Header][] = [
      [apiKey(ADMIN), ['Authorization', 'Bearer x']],
      [apiKey(ADMIN), apiKey(ADMIN)],
      [apiKey(ADMIN), ['x-api-key', '']],
      [
        ['Authorization', 'Bearer x'],
        ['authorization', 'Bearer x'],
      ],
    ];
    for (const pair of pairs) {
      const answer = await from.get('/read', ...pair);
      expect([answer.status, answer.json()]).toEqual([400, expect.objectContaining({ code: 'ambiguous_credential' })]);
      expect(answer.header('X-RateLimit-Limit')).toBe('60');
    }
    expect((await from.get('/exempt', ...pairs[0]!)).status).toBe(400);
  });

  it('a credential in the URL is 400, and should be treated as exposed, even on a public route', async () => {
    for (const target of ['/read?api_key=x', '/public?Token=x', '/exempt?PASSWORD=x']) {
      const answer = await client().get(target, apiKey(ADMIN));
      expect([answer.status, answer.json()]).toEqual([400, expect.objectContaining({ code: 'credential_in_url' })]);
    }
  });

  it('§9: an unknown version is 400, after 401 and 403', async () => {
    const version: Header = ['Api-Version', '1999-01-01'];
    const reader = await makeKey(under, ['items:read']);
    expect((await client().get('/read', version)).status).toBe(401);
    expect((await client().get('/write', apiKey(reader), version)).status).toBe(403);
    expect((await client().get('/read', apiKey(reader), version)).status).toBe(400);
    expect((await client().get('/exempt', version)).status).toBe(400);
    expect((await client().get('/read', apiKey(reader), ['Api-Version', '2026-11-20'])).status).toBe(200);
  });

  it('§8: the quota of a credential is shared by all routes, and each response shows the remaining requests', async () => {
    const key = await makeKey(under, ['items:read'], { rateLimit: { requests: 3, seconds: 50 } });
    const first = await client().get('/read', apiKey(key));
    expect(first.header('X-RateLimit-Limit')).toBe('3');
    expect(first.header('X-RateLimit-Remaining')).toBe('2');
    expect(first.header('X-RateLimit-Reset')).toMatch(/^(49|50)$/);
    expect(first.header('RateLimit-Policy')).toBe('"default";q=3;w=50');
    expect(first.header('RateLimit')).toMatch(/^"default";r=2;t=(49|50)$/);
    const forbidden = await client().get('/write', apiKey(key));
    expect([forbidden.status, remaining(forbidden)]).toEqual([403, 1]);
    expect(remaining(await client().get('/public', apiKey(key)))).toBe(0);
    const refused = await client().get('/write', apiKey(key));
    expect([refused.status, remaining(refused)]).toEqual([429, 0]);
    expect(refused.header('Retry-After')).toMatch(/^\d+$/);
    expect(refused.header('Retry-After')).toBe(refused.header('X-RateLimit-Reset'));
  });

  it('§8: exactly N pass in a window of N for any number of racing connections', async () => {
    const key = await makeKey(under, ['items:read'], { rateLimit: { requests: 100, seconds: 600 } });
    const from = client();
    const answers = await Promise.all(Array.from({ length: 250 }, () => from.get('/read', apiKey(key))));
    const passed = answers.filter((answer) => answer.status === 200);
    expect(passed).toHaveLength(100);
    expect(new Set(passed.map(remaining)).size).toBe(100);
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(150);
  });

  it('§8: an address past its quota gets 429 instead of 401, also on public routes, unless its key is valid', async () => {
    const from = client();
    const key = await makeKey(under, ['items:read']);
    for (let count = 60; count > 0; count--) {
      const answer = await from.get('/read', apiKey(count % 2 === 0 ? makeSecret() : 'garbage'));
      expect([answer.status, remaining(answer)]).toEqual([401, count - 1]);
    }
    expect((await from.get('/read')).status).toBe(429);
    expect((await from.get('/public')).status).toBe(429);
    expect((await from.get('/read', apiKey(key))).status).toBe(200);
    expect((await from.get('/read', apiKey(key), apiKey(key))).status).toBe(400);
    const exempt = await from.get('/exempt');
    expect([exempt.status, exempt.header('X-RateLimit-Limit')]).toEqual([200, undefined]);
    expect((await client().get('/public')).status).toBe(200);
  });

  it('a key removed by another instance stops working within 5 s', async () => {
    const key = await makeKey(under, ['items:read']);
    const status = async (): Promise<number> => (await client().get('/read', apiKey(key))).status;
    await withMovableClock(async (pass) => {
      expect(await status()).toBe(200);
      await under.database.transaction((tx) =>
        tx.query('DELETE FROM api_key_secrets WHERE hash = $1', [hashSecret(key)]),
      );
      pass(5000);
      expect(await status()).toBe(401);
    });
  });

  it('§7: while the database is down, a credential that needs it is 503, and public routes work', async () => {
    const key = await makeKey(under, ['items:read']);
    const down = new ServiceUnavailableError('database_unavailable', 'Down.');
    const query = jest.spyOn(under.database, 'query').mockRejectedValue(down);
    try {
      const answer = await client().get('/read', apiKey(key));
      expect([answer.status, answer.header('Retry-After')]).toEqual([503, '1']);
      expect((await client().get('/public', apiKey(key))).status).toBe(200);
      expect((await client().get('/read', apiKey('garbage'))).status).toBe(401);
    } finally {
      query.mockRestore();
    }
    expect((await client().get('/read', apiKey(key))).status).toBe(200);
  });

  it('two applications in one process have separate strategies', async () => {
    const other = await startGuardedApp(under.database, { adminApiKey: 'b'.repeat(32) });
    const reader = await makeKey(under, ['items:read']);
    try {
      expect((await other.client().get('/read', apiKey('b'.repeat(32)))).status).toBe(200);
      expect((await client().get('/read', apiKey(reader))).status).toBe(200);
    } finally {
      await other.close();
    }
    expect((await client().get('/read', apiKey(reader))).status).toBe(200);
  });
});

describeOnBothDatabases('If HTTPS is required', (under) => {
  let guarded: GuardedApp;
  afterEach(() => guarded.close());

  it('a request with credentials over plain HTTP is 403, even if an untrusted peer claims HTTPS', async () => {
    guarded = await startGuardedApp(under.database, { requireHttps: true });
    const client = guarded.client();
    const proto: Header = ['X-Forwarded-Proto', 'https'];
    for (const target of ['/read', '/public', '/exempt']) {
      const answer = await client.get(target, apiKey(ADMIN), proto);
      expect([target, answer.status, answer.json()]).toEqual([
        target,
        403,
        expect.objectContaining({ code: 'https_required' }),
      ]);
    }
    expect((await client.get('/read?token=x')).status).toBe(403);
    expect((await client.get('/read', apiKey(ADMIN), apiKey(ADMIN))).status).toBe(403);
    expect((await client.get('/read')).status).toBe(401);
    expect((await client.get('/public')).status).toBe(200);
  });

  it('the protocol and the client address of a trusted proxy are believed', async () => {
    guarded = await startGuardedApp(under.database, { requireHttps: true, trustProxy: ['127.0.0.1'] });
    const client = guarded.client();
    const proto: Header = ['X-Forwarded-Proto', 'https'];
    expect((await client.get('/read', apiKey(ADMIN), proto)).status).toBe(200);
    expect((await client.get('/read', apiKey(ADMIN))).status).toBe(403);
    const from = (address: string) => client.get('/public', ['X-Forwarded-For', address]);
    expect(remaining(await from('2001:db8:1:2::1'))).toBe(59);
    expect(remaining(await from('2001:db8:1:2:ffff::2'))).toBe(58);
    expect(remaining(await from('2001:db8:1:3::1'))).toBe(59);
  });
});
