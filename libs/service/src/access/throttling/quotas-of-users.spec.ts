import type { CreatedApiKey, CreatedSession } from '@items/dtos/contract';
import type { HttpClient } from '@items/testing';

import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { type CodeFlow, startCodeFlow, type Tokens } from '../oauth/testing/code-flow.testing.js';
import { formOf } from '../oauth/testing/oauth.testing.js';
import { quotaOf, quotaOfForm, type QuotaShown } from '../oauth/testing/quota-shown.testing.js';

/** This also limits `ADMIN_API_KEY`, which creates the users, so each test creates few. */
const FLOW = { RATE_LIMIT: '20/60' };

describeOnBothDatabases('§8 More credentials of a user give no more requests', (under) => {
  let flow: CodeFlow;
  let users = 0;

  beforeAll(async () => {
    flow = await startCodeFlow(under.config, FLOW);
  });
  afterAll(() => flow.oauth.close());

  const newUser = async (): Promise<string> => {
    users += 1;
    const username = `user-${String(users)}`;
    await flow.oauth.addUser({ username, role: 'member' });
    return username;
  };
  const logIn = async (username: string): Promise<CreatedSession> => {
    const { baseUrl, password } = flow.oauth;
    const body = JSON.stringify({ username, password });
    const headers = { 'content-type': 'application/json' };
    return (await (await fetch(`${baseUrl}/sessions`, { method: 'POST', body, headers })).json()) as CreatedSession;
  };
  const keyOf = async (client: HttpClient, input: object = {}): Promise<HttpClient> => {
    const made = await client.post('/api-keys', { name: 'x', scopes: ['items:read', 'keys:manage'], ...input });
    expect(made.status).toBe(201);
    return flow.oauth.key((made.json() as CreatedApiKey).key);
  };
  const refresh = (token: string): Promise<Response> =>
    formOf(flow.oauth.baseUrl, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: token,
      client_id: 'first-party',
    });

  it('all logins, with a password, a token or a refresh token, share one quota', async () => {
    const username = await newUser();
    const [one, other] = [await logIn(username), await logIn(username)];
    expect(quotaOf(await flow.oauth.basic(username).get('/items'))).toEqual([20, 19, 'default']);
    expect(quotaOf(await flow.oauth.bearer(one.access_token).get('/items'))).toEqual([20, 18, 'default']);
    expect(quotaOf(await flow.oauth.bearer(other.access_token).get('/items'))).toEqual([20, 17, 'default']);
    const refreshed = await refresh(one.refresh_token);
    expect(refreshed.status).toBe(200);
    expect(quotaOfForm(refreshed)).toEqual([20, 16, 'default']);
    const { access_token: token } = (await refreshed.json()) as Tokens;
    expect(quotaOf(await flow.oauth.bearer(token).get('/items'))).toEqual([20, 15, 'default']);
    expect(quotaOf(await flow.oauth.basic(await newUser()).get('/items'))).toEqual([20, 19, 'default']);
  });

  it('a refresh token that is used, unknown or of another client counts for the address', async () => {
    const { refresh_token: token } = await logIn(await newUser());
    await refresh(token);
    for (const value of [token, 'x'.repeat(43)]) expect(quotaOfForm(await refresh(value))[2]).toBe('anonymous');
    const code = await flow.newCode();
    const asFirstParty = { grant_type: 'authorization_code', code, client_id: 'first-party' };
    expect(quotaOfForm(await formOf(flow.oauth.baseUrl, '/oauth/token', asFirstParty))[2]).toBe('anonymous');
  });

  it('the tokens of one application share another quota, over all its approvals', async () => {
    const [first, second] = [
      (await (await flow.exchange(await flow.newCode())).json()) as Tokens,
      (await (await flow.exchange(await flow.newCode())).json()) as Tokens,
    ];
    expect(quotaOf(await flow.oauth.bearer(first.access_token).get('/items'))).toEqual([20, 19, 'default']);
    expect(quotaOf(await flow.oauth.bearer(second.access_token).get('/items'))).toEqual([20, 18, 'default']);
    expect(quotaOf(await flow.oauth.basic('mary').get('/items'))[1]).toBe(19);
  });

  it('the tokens of a client that acts for itself share a quota with its token requests', async () => {
    const input = { grant_types: ['client_credentials'], redirect_uris: [], scopes: ['items:read'] };
    const client = await flow.register(input);
    const token = async (): Promise<[token: string, ...quota: QuotaShown]> => {
      const asked = { grant_type: 'client_credentials' };
      const proof = flow.basic(client.client_id, client.client_secret);
      const answer = await formOf(flow.oauth.baseUrl, '/oauth/token', asked, proof);
      return [((await answer.json()) as Tokens).access_token, ...quotaOfForm(answer)];
    };
    const [[first, ...one], [second, ...two]] = [await token(), await token()];
    expect([one, two]).toEqual([
      [20, 19, 'default'],
      [20, 18, 'default'],
    ]);
    expect(quotaOf(await flow.oauth.bearer(first).get('/items'))).toEqual([20, 17, 'default']);
    expect(quotaOf(await flow.oauth.bearer(second).get('/items'))).toEqual([20, 16, 'default']);
  });

  it('each key has its own quota, and all keys of a user share ten times that', async () => {
    const username = await newUser();
    const keys: HttpClient[] = [];
    for (let n = 0; n < 12; n++) keys.push(await keyOf(flow.oauth.basic(username)));
    const passed: number[] = [];
    const policies = new Set<string>();
    for (const key of keys) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => key.get('/items?limit=1')));
      passed.push(answers.filter(({ status }) => status === 200).length);
      for (const answer of answers) {
        if (answer.status !== 429) continue;
        policies.add(quotaOf(answer)[2]);
        expect(answer.header('retry-after')).toBe(answer.header('x-ratelimit-reset'));
        expect(quotaOf(answer).slice(0, 2)).toEqual([200, 0]);
      }
    }
    expect(passed).toEqual([...Array.from({ length: 10 }, () => 20), 0, 0]);
    expect([...policies]).toEqual(['keys']);
    // The owner's logins still work.
    expect((await flow.oauth.basic(username).get('/items')).status).toBe(200);
  });

  it('a key above its quota does not use up the quota of other keys', async () => {
    const member = flow.oauth.basic(await newUser());
    const [busy, quiet] = [await keyOf(member), await keyOf(member)];
    await Promise.all(Array.from({ length: 250 }, () => busy.get('/items?limit=1')));
    expect((await busy.get('/items')).status).toBe(429);
    expect(quotaOf(await quiet.get('/items'))).toEqual([20, 19, 'default']);
  });
});
