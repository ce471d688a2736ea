import type { CreatedClient } from '@items/contracts';

import { describeOnBothDatabases } from '../database/database.testing.js';
import { formOf, startOauth, type OauthUnderTest } from './oauth.testing.js';

describeOnBothDatabases('What oidc-provider answers', (under) => {
  let oauth: OauthUnderTest;
  let client: CreatedClient;

  beforeAll(async () => {
    oauth = await startOauth(under.config);
    const input = { name: 'Cron', scopes: ['items:read'], redirect_uris: [], grant_types: ['client_credentials'] };
    client = (await oauth.admin.post('/clients', input)).json() as CreatedClient;
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
    ['nonsense', ''],
    ['users:write items:read', 'items:read'],
  ])('says in scope what was granted of %p, also where it is nothing (authentication.md)', async (asked, granted) => {
    const answer = await requestToken({ scope: asked });
    expect(answer.status).toBe(200);
    const body = (await answer.json()) as { access_token: string; scope: string };
    expect(body.scope).toBe(granted);
    const status = granted === '' ? 403 : 200;
    expect((await oauth.bearer(body.access_token).get('/items')).status).toBe(status);
  });
});
