import { startApp, type Answer, type RunningApp } from '@items/testing';

import { anonymous } from '../harness/clients.js';
import { startIssuer, type OutsideIssuer, type Signer } from '../harness/outside-issuer.js';
import { errorOf, expectStatus } from '../harness/reading.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';

describeStarted('§5 Tokens of an identity provider outside (OAUTH_ISSUERS)', () => {
  let issuer: OutsideIssuer;
  let down: OutsideIssuer;
  let app: RunningApp;

  beforeAll(async () => {
    [issuer, down] = await Promise.all([startIssuer(), startIssuer()]);
    const trusted = [
      {
        issuer: issuer.url,
        audience: 'items',
        scope_map: { 'items:read': 'items:read', writer: ['items:read', 'items:write'] },
      },
      { issuer: down.url, audience: 'items', jwks_uri: `${down.url}/jwks`, scope_claim: 'realm_access.roles' },
    ];
    app = await startApp({ database: databaseUnderTest(), env: { OAUTH_ISSUERS: JSON.stringify(trusted) } });
  });
  afterAll(async () => {
    await app.stop();
    await Promise.all([issuer.stop(), down.stop()]);
  });

  const get = (token: string): Promise<Answer> =>
    anonymous
      .withOptions({ baseUrl: app.baseUrl })
      .withHeaders(['Authorization', `Bearer ${token}`])
      .get('/items');

  it('the right audience, and a scope: 200; without the scope: 403', async () => {
    expectStatus(await get(await issuer.token({ aud: 'items', scope: 'items:read' })), 200);
    expectStatus(await get(await issuer.token({ aud: ['other', 'items'], scope: 'openid writer' })), 200);
    expect(errorOf(await get(await issuer.token({ aud: 'items', scope: 'openid items:write' })), 403).code).toBe(
      'insufficient_scope',
    );
  });

  it('a scope may be in a nested claim', async () => {
    expectStatus(await get(await down.token({ aud: 'items', realm_access: { roles: ['items:read'] } })), 200);
  });

  it.each<[string, { claims?: object; by?: Signer; kid?: string }]>([
    ['another audience', { claims: { aud: 'other' } }],
    ['no audience', { claims: { aud: undefined } }],
    ['another issuer', { claims: { iss: 'https://login.example' } }],
    ['an expired token', { claims: { exp: 1_700_000_000 } }],
    ['a token without an end', { claims: { exp: undefined } }],
    ['a token of more than a day', { claims: { exp: Math.floor(Date.now() / 1000) + 90_000 } }],
    ['an ID token', { claims: { at_hash: 'x' } }],
    ['a token that needs a proof', { claims: { cnf: { jkt: 'x' } } }],
    ['a token of later', { claims: { nbf: 4_000_000_000 } }],
    ['a forged key', { by: 'forger' }],
    ['alg: none', { by: 'none' }],
    ['the public key as a secret of HS256', { by: 'public key' }],
    ['an unknown kid', { kid: 'unknown' }],
  ])('%s: 401 with error="invalid_token"', async (_what, { claims, by, kid }) => {
    const answer = await get(await issuer.token({ aud: 'items', scope: 'items:read', ...claims }, by, kid));
    expect(errorOf(answer, 401).code).toBe('unauthorized');
    expect(answer.all('www-authenticate')[0]).toContain('error="invalid_token"');
  });

  it('new keys are fetched after a rotation', async () => {
    await issuer.rotate('second');
    expectStatus(await get(await issuer.token({ aud: 'items', scope: 'items:read' })), 200);
  });

  it('keys that cannot be fetched are 503, not 401, and tokens of the service still work', async () => {
    const token = await down.token({ aud: 'items', realm_access: { roles: ['items:read'] } }, 'itself', 'not seen yet');
    await down.stop();
    const fresh = await startApp({
      database: databaseUnderTest(),
      env: {
        OAUTH_ISSUERS: JSON.stringify([{ issuer: down.url, audience: 'items' }]),
        RATE_LIMIT_ANONYMOUS: '3/60',
      },
    });
    const client = anonymous.withOptions({ baseUrl: fresh.baseUrl, observers: [] });
    try {
      for (const remaining of [2, 1]) {
        const answer = await client.withHeaders(['Authorization', `Bearer ${token}`]).get('/items');
        expect(answer.status).toBe(503);
        expect(answer.json()).toMatchObject({ code: 'issuer_unavailable' });
        expect(Number(answer.header('retry-after'))).toBeGreaterThan(0);
        // The quota counts it like a request without a valid credential.
        expect(answer.header('x-ratelimit-remaining')).toBe(String(remaining));
      }
      const own = client.withHeaders(['Authorization', `Bearer ${'x'.repeat(43)}`]);
      expectStatus(await own.get('/items'), 401);
      expectStatus(await own.get('/items'), 429);
    } finally {
      await fresh.stop();
    }
  });
});
