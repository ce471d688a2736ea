import { permissions } from '../../service/testing/fixture.testing.js';
import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { Browser } from '@items/testing';
import { type CodeFlow, errorOf, startCodeFlow } from './testing/code-flow.testing.js';

/** Default of `BASE_URL`. */
const RESOURCE = 'http://localhost:3000';

describeOnBothDatabases('RFC 9728 and RFC 8707: the service as a protected resource', (under) => {
  let flow: CodeFlow;

  beforeAll(async () => {
    const issuer = {
      issuer: 'https://login.example.com',
      audience: 'items',
      jwks_uri: 'https://login.example.com/keys',
    };
    const env = { OAUTH_ISSUERS: JSON.stringify([issuer]) };
    flow = await startCodeFlow(under.config, env);
  });
  afterAll(() => flow.oauth.close());

  it('its metadata names the authorization servers, for pages of every origin', async () => {
    const answer = await fetch(`${flow.oauth.baseUrl}/.well-known/oauth-protected-resource`, {
      headers: { origin: 'https://anywhere.example' },
    });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(await answer.json()).toEqual({
      resource: RESOURCE,
      authorization_servers: [RESOURCE, 'https://login.example.com'],
      scopes_supported: permissions.scopes,
      bearer_methods_supported: ['header'],
    });
  });

  it.each([[undefined], ['Bearer wrong'], [`Basic ${Buffer.from('a:b').toString('base64')}`]])(
    'names that page in the Bearer challenge for %s',
    async (authorization) => {
      const headers = authorization === undefined ? {} : { authorization };
      const answer = await fetch(`${flow.oauth.baseUrl}/items`, { headers });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain(
        `resource_metadata="${RESOURCE}/.well-known/oauth-protected-resource"`,
      );
    },
  );

  it('accepts a resource that identifies it, at both endpoints', async () => {
    const code = await flow.newCode({ resource: RESOURCE });
    const answer = await flow.exchange(code, { resource: RESOURCE });
    expect(answer.status).toBe(200);
    const { refresh_token: refreshToken } = (await answer.json()) as { refresh_token: string };
    const renewal = { grant_type: 'refresh_token', refresh_token: refreshToken, code: '', resource: RESOURCE };
    expect((await flow.exchange('', renewal)).status).toBe(200);
  });

  it.each([['https://other.example'], [`${RESOURCE}/items`], ['nothing']])(
    'refuses the resource %s',
    async (resource) => {
      const shown = await new Browser(flow.oauth.baseUrl).get(flow.authorizeUrl({ resource }));
      expect(shown.left?.searchParams.get('error')).toBe('invalid_target');
      const answer = await flow.exchange(await flow.newCode(), { resource });
      expect(await errorOf(answer)).toEqual([400, 'invalid_target']);
    },
  );
});
