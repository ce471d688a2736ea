import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { startOauth, type OauthUnderTest } from './testing/oauth.testing.js';

const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

describeOnBothDatabases('Requests that are refused before a route of OAuth runs', (under) => {
  let oauth: OauthUnderTest;
  beforeAll(async () => {
    oauth = await startOauth(under.config);
  });
  afterAll(() => oauth.close());

  const send = (method: string, path: string): Promise<Response> =>
    fetch(`${oauth.baseUrl}${path}?access_token=x`, { method });

  it.each([
    ['GET', '/oauth/authorize'],
    ['GET', '/oauth/authorize/some-uid'],
    ['GET', '/oauth/interaction/some-uid'],
    ['POST', '/oauth/interaction/some-uid'],
  ])('%s %s shows a page (SPEC §1.4)', async (method, path) => {
    const answer = await send(method, path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, HTML]);
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
    expect(await answer.text()).toContain('<h1>This did not work</h1>');
  });

  it.each(['/oauth/authorize?%zz', '/oauth/interaction/%zz', '/oauth/login/callback?code=%c3', '/oauth/logout?%'])(
    'GET %s shows a page about the wrong percent-encoding (SPEC §1.4)',
    async (path) => {
      const answer = await fetch(`${oauth.baseUrl}${path}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([400, HTML]);
      expect(answer.headers.get('x-frame-options')).toBe('DENY');
      expect(await answer.text()).toContain('The URL is not correctly percent-encoded UTF-8.');
    },
  );

  it('GET /oauth/token?%zz has the form of OAuth (SPEC §1.4)', async () => {
    const answer = await fetch(`${oauth.baseUrl}/oauth/token?%zz`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, JSON_TYPE]);
  });

  it.each([
    ['POST', '/oauth/token'],
    ['POST', '/oauth/revoke'],
    ['POST', '/oauth/introspect'],
    ['GET', '/oauth/jwks'],
    ['GET', '/.well-known/oauth-authorization-server'],
  ])('%s %s has the form of OAuth, and counts for its address (SPEC §1.4, §8.1)', async (method, path) => {
    const answer = await send(method, path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, JSON_TYPE]);
    expect(await answer.json()).toMatchObject({ error: 'invalid_request', error_description: expect.any(String) });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-ratelimit-limit')).toBe('100000');
  });
});
