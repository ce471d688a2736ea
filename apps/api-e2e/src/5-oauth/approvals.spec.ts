import { GRANT_TYPES, type Grant } from '@items/dtos/contract';
import type { HttpClient } from '@items/testing';

import { admin } from '../harness/clients.js';
import { oauthClient, type OauthClient } from '../harness/oauth-client.js';
import { approve, issuerOf, logIn, withToken } from '../harness/tokens.js';
import { createUser, withBasic } from '../harness/users.js';

describe('§5 Users list and revoke their approvals at /users/me/grants', () => {
  let applications: OauthClient[];
  let user: HttpClient;
  let tokens: string[];

  beforeAll(async () => {
    const issuer = await issuerOf();
    const input = { grant_types: GRANT_TYPES, scopes: ['items:read'] as const };
    applications = [await oauthClient(issuer, admin, input), await oauthClient(issuer, admin, input)];
    const { username } = await createUser({ role: 'viewer' });
    user = withBasic(username);
    tokens = [];
    for (const application of applications) {
      tokens.push((await approve(application, username, ['items:read'])).access_token);
    }
    await logIn(username);
  });
  afterAll(() => Promise.all(applications.map((application) => application.close())));

  const grantsOf = async (client: HttpClient): Promise<readonly Grant[]> =>
    ((await client.get('/users/me/grants')).json() as { readonly grants: Grant[] }).grants;
  const clientIds = (grants: readonly Grant[]): string[] => grants.map((grant) => grant.client_id).sort();

  it('a user sees all of them, an application only its own', async () => {
    const [first, second] = applications.map(({ registered }) => registered.client_id);
    expect(clientIds(await grantsOf(user))).toEqual([first, second].sort());
    expect(clientIds(await grantsOf(withToken(tokens[0]!)))).toEqual([first]);
  });

  it('an application revokes only its own approval, and cannot end a session or change the password', async () => {
    const [own, other] = tokens.map((token) => withToken(token));
    const [{ id: otherId }] = (await grantsOf(other!)) as [Grant];
    expect((await own!.delete(`/users/me/grants/${otherId}`)).status).toBe(404);
    expect((await own!.get('/sessions')).status).toBe(403);
    const change = { current_password: 'x', new_password: 'a new password' };
    expect((await own!.put('/users/me/password', change)).status).toBe(403);
    const [{ id }] = (await grantsOf(own!)) as [Grant];
    expect((await own!.delete(`/users/me/grants/${id}`)).status).toBe(204);
    expect([(await own!.get('/items')).status, (await other!.get('/items')).status]).toEqual([401, 200]);
  });

  it('a revoked approval stops working', async () => {
    for (const { id } of await grantsOf(user)) {
      expect((await user.delete(`/users/me/grants/${id}`)).status).toBe(204);
    }
    expect((await withToken(tokens[1]!).get('/items')).status).toBe(401);
  });
});
