import type { CreatedApiKey, CreatedSession } from '@items/dtos/contract';
import type { Answer, HttpClient } from '@items/testing';

import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { type CodeFlow, startCodeFlow, type Tokens } from '../oauth/testing/code-flow.testing.js';
import { formOf } from '../oauth/testing/oauth.testing.js';
import { quotaOf, quotaOfForm } from '../oauth/testing/quota-shown.testing.js';

const UNKNOWN = '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27';
const USUAL = 80;

describeOnBothDatabases('§8 Quota of requests that end access', (under) => {
  let flow: CodeFlow;
  let users = 0;

  beforeAll(async () => {
    flow = await startCodeFlow(under.config, { RATE_LIMIT: `${String(USUAL)}/60` });
  });
  afterAll(() => flow.oauth.close());

  const newUser = async (): Promise<string> => {
    users += 1;
    const username = `user-${String(users)}`;
    await flow.oauth.addUser({ username, role: 'member' });
    return username;
  };
  const logIn = async (username: string, scope?: string): Promise<CreatedSession> => {
    const { baseUrl, password } = flow.oauth;
    const body = JSON.stringify({ username, password, scope });
    const headers = { 'content-type': 'application/json' };
    return (await (await fetch(`${baseUrl}/sessions`, { method: 'POST', body, headers })).json()) as CreatedSession;
  };
  const sessionOf = async (username: string): Promise<HttpClient> =>
    flow.oauth.bearer((await logIn(username)).access_token);
  const keyOf = async (owner: HttpClient, scopes: readonly string[]): Promise<HttpClient> =>
    flow.oauth.key(((await owner.post('/api-keys', { name: 'x', scopes })).json() as CreatedApiKey).key);
  const times = (count: number, request: () => Promise<Answer>): Promise<Answer[]> =>
    Promise.all(Array.from({ length: count }, request));
  const statusesOf = (answers: readonly Answer[]): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };

  it('each session, and Basic, has a separate quota, which 404s use up, and which a used-up login quota does not block', async () => {
    const username = await newUser();
    const [thief, owner, basic] = [await sessionOf(username), await sessionOf(username), flow.oauth.basic(username)];
    while ((await thief.get('/items')).status !== 429);
    const answers = await times(70, () => thief.delete(`/sessions/${UNKNOWN}`));
    expect(statusesOf(answers)).toEqual({ 404: 60, 429: 10 });
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.header('retry-after')).toBe(refused?.header('x-ratelimit-reset'));
    expect((await thief.delete(`/users/me/grants/${UNKNOWN}`)).status).toBe(429);
    expect(quotaOf(await owner.delete(`/users/me/grants/${UNKNOWN}`))).toEqual([60, 59, 'ending']);
    const body = { current_password: 'wrong', password: 'another fine password' };
    expect(quotaOf(await owner.put('/users/me/password', body))).toEqual([60, 58, 'ending']);
    expect(quotaOf(await owner.delete('/sessions/x'))).toEqual([60, 57, 'ending']);
    expect(quotaOf(await basic.delete('/sessions/x'))).toEqual([60, 59, 'ending']);
  });

  it('all sessions of a user together have 600 in 60 s; Basic is not among them', async () => {
    const username = await newUser();
    const found: Record<string, number>[] = [];
    for (let n = 0; n < 11; n += 1) {
      const session = await sessionOf(username);
      found.push(statusesOf(await times(60, () => session.delete('/sessions/x'))));
    }
    expect(found).toEqual([...Array.from({ length: 10 }, () => ({ 404: 60 })), { 429: 60 }]);
    expect((await flow.oauth.basic(username).delete('/sessions/x')).status).toBe(404);
  });

  it('a key counts in its usual quota for any scopes, and does not use up the quota of its owner', async () => {
    const username = await newUser();
    const owner = flow.oauth.basic(username);
    const [reader, manager] = [await keyOf(owner, ['items:read']), await keyOf(owner, ['keys:manage'])];
    expect(statusesOf(await times(70, () => reader.delete('/sessions/x')))).toEqual({ 403: 70 });
    expect(statusesOf(await times(70, () => manager.delete(`/users/me/grants/${UNKNOWN}`)))).toEqual({ 404: 70 });
    expect(statusesOf(await times(20, () => manager.delete('/sessions/x')))).toEqual({ 403: 10, 429: 10 });
    expect(quotaOf(await reader.delete('/sessions/x'))).toEqual([USUAL, USUAL - 71, 'default']);
    expect(quotaOf(await owner.delete('/sessions/x'))).toEqual([60, 59, 'ending']);
  });

  it("an application's token counts in its usual quota too", async () => {
    const tokens = (await (await flow.exchange(await flow.newCode())).json()) as Tokens;
    const application = flow.oauth.bearer(tokens.access_token);
    expect(statusesOf(await times(70, () => application.delete('/sessions/x')))).toEqual({ 403: 70 });
    expect(quotaOf(await application.delete('/sessions/x'))).toEqual([USUAL, USUAL - 71, 'default']);
    expect(quotaOf(await flow.oauth.basic('mary').delete('/sessions/x'))).toEqual([60, 59, 'ending']);
  });

  it('a refused request of a login counts as usual: a narrowed session can still end itself', async () => {
    const username = await newUser();
    const narrow = await logIn(username, 'items:read');
    const [session, basic] = [flow.oauth.bearer(narrow.access_token), flow.oauth.basic(username)];
    for (let n = 1; n <= 35; n += 1) {
      const [byHandler, byScope] = [await session.delete('/sessions/x'), await session.delete(`/api-keys/${UNKNOWN}`)];
      expect([byHandler.status, ...quotaOf(byHandler)]).toEqual([403, USUAL, USUAL - 2 * n + 1, 'default']);
      expect([byScope.status, ...quotaOf(byScope)]).toEqual([403, USUAL, USUAL - 2 * n, 'default']);
    }
    expect(quotaOf(await basic.delete(`/api-keys/${UNKNOWN}`))).toEqual([USUAL, 9, 'default']);
    expect(statusesOf(await times(20, () => session.delete('/sessions/x')))).toEqual({ 403: 9, 429: 11 });
    const exceeded = await session.delete(`/api-keys/${UNKNOWN}`);
    expect([exceeded.status, exceeded.json()]).toEqual([429, expect.objectContaining({ code: 'rate_limited' })]);
    expect(exceeded.header('retry-after')).toBe(exceeded.header('x-ratelimit-reset'));
    expect(exceeded.header('www-authenticate')).toBeUndefined();
    const ended = await session.delete(`/sessions/${narrow.id}`);
    expect([ended.status, ...quotaOf(ended)]).toEqual([204, 60, 59, 'ending']);
  });

  it('/oauth/revoke counts for the session whose valid token it revokes', async () => {
    const username = await newUser();
    const { access_token: token, refresh_token: refreshToken } = await logIn(username);
    const revoke = (value: string, client: object = { client_id: 'first-party' }): Promise<Response> =>
      formOf(flow.oauth.baseUrl, '/oauth/revoke', { token: value, ...client });
    const thief = await sessionOf(username);
    while ((await thief.get('/items')).status !== 429);
    await times(60, () => thief.delete('/sessions/x'));
    expect(quotaOfForm(await revoke('x'.repeat(43)))[2]).toBe('anonymous');
    const revoked = await revoke(refreshToken);
    expect([revoked.status, ...quotaOfForm(revoked)]).toEqual([200, 60, 59, 'ending']);
    expect((await flow.oauth.bearer(token).get('/items')).status).toBe(401);
    expect(quotaOfForm(await revoke(refreshToken))[2]).toBe('anonymous');
  });

  it('/oauth/revoke of an application counts for the application, or for its tokens of the user', async () => {
    const given = async (to: CodeFlow): Promise<string> => {
      const { client_id, client_secret } = to.client;
      const proof = { client_id, ...(client_secret && { client_secret }) };
      return ((await (await to.exchangeAs(await to.newCode(), proof)).json()) as Tokens).access_token;
    };
    const { client_id, client_secret } = await flow.register({ scopes: ['items:read'] });
    const confidential = flow.for({ ...flow.client, client_id, client_secret });
    const byForm = { token: await given(confidential), client_id, client_secret };
    const [limit, remaining, policy] = quotaOfForm(await formOf(flow.oauth.baseUrl, '/oauth/revoke', byForm));
    expect([limit, remaining, policy]).toEqual([USUAL, USUAL - 2, 'default']);
    const application = await flow.register({ scopes: ['items:read'], token_endpoint_auth_method: 'none' });
    const token = await given(flow.for(application));
    const byPublic = await formOf(flow.oauth.baseUrl, '/oauth/revoke', { token, client_id: application.client_id });
    expect([byPublic.status, ...quotaOfForm(byPublic)]).toEqual([200, USUAL, USUAL - 2, 'default']);
    const owner = await flow.oauth.basic('mary').get('/users/me');
    expect(quotaOf(owner)).toEqual([USUAL, USUAL - 1, 'default']);
  });

  it('credentials without a user count as usual', async () => {
    expect(quotaOf(await flow.oauth.admin.delete(`/api-keys/${UNKNOWN}`)).slice(0, 3)).toEqual([
      USUAL,
      expect.any(Number),
      'default',
    ]);
  });
});
