import type { CreatedClient } from '@items/dtos/contract';

import { describeOnBothDatabases } from '../../../../service/testing/fixture-database.testing.js';
import { formOf, startOauth, type OauthUnderTest } from '../../testing/oauth.testing.js';

const PAGE = 'https://page.example';

describeOnBothDatabases('Responses of oidc-provider', (under) => {
  let oauth: OauthUnderTest;
  let client: Required<CreatedClient>;

  beforeAll(async () => {
    oauth = await startOauth(under.config, { CORS_ORIGINS: PAGE });
    const input = { name: 'Cron', scopes: ['items:read'], redirect_uris: [], grant_types: ['client_credentials'] };
    client = (await oauth.admin.post('/clients', input)).json() as Required<CreatedClient>;
  });
  afterAll(() => oauth.close());

  const requestToken = (fields: Readonly<Record<string, string>>, headers = {}): Promise<Response> =>
    formOf(
      oauth.baseUrl,
      '/oauth/token',
      {
        grant_type: 'client_credentials',
        client_id: client.client_id,
        client_secret: client.client_secret,
        ...fields,
      },
      headers,
    );

  it.each([
    ['users:write', ''],
    ['users:write clients:manage', ''],
    ['users:write items:read', 'items:read'],
  ])('returns in scope the granted part of %p, even if it is empty (SPEC §5.5)', async (asked, granted) => {
    const answer = await requestToken({ scope: asked });
    expect(answer.status).toBe(200);
    const body = (await answer.json()) as { access_token: string; scope: string };
    expect(body.scope).toBe(granted);
    const status = granted === '' ? 403 : 200;
    expect((await oauth.bearer(body.access_token).get('/items')).status).toBe(status);
  });

  const shared = ({ headers }: Response): (string | null)[] => [
    headers.get('access-control-allow-origin'),
    headers.get('vary'),
  ];

  describe.each([
    ['a page that is allowed', { origin: PAGE }, [PAGE, 'Origin']],
    ['another page', { origin: 'https://evil.example' }, [null, 'Origin']],
    ['no page', {}, [null, 'Origin']],
  ])('have the CORS headers of the service (SPEC §1.2): %s', (_title, headers: Record<string, string>, expected) => {
    it.each(['/.well-known/oauth-authorization-server', '/oauth/jwks'])('GET %s', async (path) => {
      expect(shared(await fetch(oauth.baseUrl + path, { headers }))).toEqual(expected);
    });

    it.each(['/oauth/token', '/oauth/revoke', '/oauth/introspect'])('an error of POST %s', async (path) => {
      const answer = await formOf(oauth.baseUrl, path, { client_id: 'nobody' }, headers);
      expect([answer.status, ...shared(answer)]).toEqual([expect.any(Number), ...expected]);
      expect(answer.status).toBeGreaterThanOrEqual(400);
    });

    it('a token', async () => {
      const answer = await requestToken({}, headers);
      expect([answer.status, ...shared(answer)]).toEqual([200, ...expected]);
    });
  });
});

describeOnBothDatabases('Without CORS', (under) => {
  let oauth: OauthUnderTest;

  beforeAll(async () => {
    oauth = await startOauth(under.config);
  });
  afterAll(() => oauth.close());

  it.each(['/.well-known/oauth-authorization-server', '/oauth/jwks'])(
    'GET %s is shared with no other site (SPEC §1.2)',
    async (path) => {
      const answer = await fetch(oauth.baseUrl + path, { headers: { origin: PAGE } });
      expect(answer.status).toBe(200);
      expect([...answer.headers.keys()].filter((name) => /^(access-control-|vary)/.test(name))).toEqual([]);
    },
  );
});
