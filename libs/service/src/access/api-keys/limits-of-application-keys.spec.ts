import type { ApiKey, CreatedApiKey, CreatedClient } from '@items/dtos/contract';
import { type Answer, Browser, type HttpClient } from '@items/testing';

import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { type CodeFlow, codeOf, startCodeFlow, type Tokens } from '../oauth/testing/code-flow.testing.js';
import { type OauthUnderTest, startOauth } from '../oauth/testing/oauth.testing.js';
import { quotaOf } from '../oauth/testing/quota-shown.testing.js';

const SCOPES = ['items:read', 'keys:manage'];
const KEY = { name: 'x', scopes: ['items:read'] };
/** Requests in 60 s. */
const USUAL = 300;

describeOnBothDatabases('§8 Keys that applications created', (under) => {
  let flow: CodeFlow;
  let there: OauthUnderTest;
  let client: Required<CreatedClient>;
  let users = 0;

  beforeAll(async () => {
    const env = { RATE_LIMIT: `${String(USUAL)}/60` };
    flow = await startCodeFlow(under.config, env);
    there = await startOauth(under.config, env);
    client = await flow.register({ scopes: SCOPES });
  });
  afterAll(() => Promise.all([flow.oauth.close(), there.close()]));

  const newUser = async (): Promise<string> => {
    users += 1;
    const username = `user-${String(users)}`;
    await flow.oauth.addUser({ username, role: 'member' });
    return username;
  };
  /** @returns the access token of an application with the approval of the user. */
  const approve = async (username: string, application = client): Promise<string> => {
    const codeFlow = flow.for(application);
    const browser = new Browser(flow.oauth.baseUrl);
    const page = await codeFlow.logIn(browser, { scope: SCOPES.join(' ') }, username);
    const left = page.left === undefined ? await browser.submit(page, { decision: 'allow' }) : page;
    return ((await (await codeFlow.exchange(codeOf(left))).json()) as Tokens).access_token;
  };
  const make = async (by: HttpClient, input: object = KEY): Promise<CreatedApiKey> => {
    const made = await by.post('/api-keys', input);
    expect([made.status, made.text]).toEqual([201, made.text]);
    return made.json() as CreatedApiKey;
  };
  const outcome = ({ status, text }: Answer): string =>
    status < 300 ? String(status) : `${String(status)} ${(JSON.parse(text) as { code: string }).code}`;

  it('are at most 10 for each application and user, also when two instances create them concurrently', async () => {
    const username = await newUser();
    const token = await approve(username);
    const made = await Promise.all(
      Array.from({ length: 24 }, (_, n) => (n % 2 === 0 ? flow.oauth : there).bearer(token).post('/api-keys', KEY)),
    );
    const outcomes = made.map(outcome).sort();
    expect(outcomes).toEqual([
      ...Array.from({ length: 10 }, () => '201'),
      ...Array.from({ length: 14 }, () => '409 too_many_api_keys'),
    ]);
    const refused = made.find(({ status }) => status === 409)?.json() as { error: string };
    expect(refused.error).toBe(
      'This application has 10 API keys of this user, and cannot have more: delete one first.',
    );
    const other = await flow.register({ scopes: SCOPES });
    await make(flow.oauth.bearer(await approve(username, other)));
    await make(flow.oauth.bearer(await approve(await newUser())));
    const [first] = ((await flow.oauth.bearer(token).get('/api-keys')).json() as { api_keys: ApiKey[] }).api_keys;
    expect((await flow.oauth.bearer(token).delete(`/api-keys/${first?.id ?? ''}`)).status).toBe(204);
    await make(flow.oauth.bearer(token));
  });

  it('do not count in the limit of 100 of their user, and those 100 do not count in theirs', async () => {
    const username = await newUser();
    const [owner, application] = [flow.oauth.basic(username), flow.oauth.bearer(await approve(username))];
    for (let n = 0; n < 5; n += 1) await make(application);
    for (let n = 0; n < 100; n += 1) await make(owner);
    expect(outcome(await owner.post('/api-keys', KEY))).toBe('409 too_many_api_keys');
    for (let n = 0; n < 5; n += 1) await make(application);
    expect(outcome(await application.post('/api-keys', KEY))).toBe('409 too_many_api_keys');
  });

  it('expired keys do not count, and none becomes valid again as the 11th', async () => {
    const username = await newUser();
    const application = flow.oauth.bearer(await approve(username));
    const ids: string[] = [];
    for (let n = 0; n < 10; n += 1) ids.push((await make(application)).id);
    const path = `/api-keys/${ids[0] ?? ''}`;
    expect(
      (await application.put(path, { name: 'x', expires_at: new Date(Date.now() + 300).toISOString() })).status,
    ).toBe(200);
    let extra = await application.post('/api-keys', KEY);
    while (extra.status !== 201) extra = await application.post('/api-keys', KEY);
    const revived = { name: 'x', expires_at: null };
    expect(outcome(await application.put(path, revived))).toBe('409 too_many_api_keys');
    expect(outcome(await flow.oauth.basic(username).put(path, revived))).toBe('409 too_many_api_keys');
    const { id } = extra.json() as ApiKey;
    expect((await application.delete(`/api-keys/${id}`)).status).toBe(204);
    expect((await application.put(path, revived)).status).toBe(200);
  });

  it("share the quota of their application's tokens for the user, not that of the user's own keys", async () => {
    const username = await newUser();
    const owner = flow.oauth.basic(username);
    const application = flow.oauth.bearer(await approve(username));
    const byApplication: HttpClient[] = [];
    for (let n = 0; n < 10; n += 1) byApplication.push(flow.oauth.key((await make(application)).key));
    for (const key of byApplication) await key.get('/items?limit=1');
    expect(quotaOf(await application.get('/items?limit=1'))).toEqual([USUAL, USUAL - 21, 'default']);
    const [key] = byApplication;
    expect(quotaOf(await key!.get('/items?limit=1'))).toEqual([USUAL, USUAL - 22, 'default']);
    await Promise.all(Array.from({ length: USUAL }, () => key!.get('/items?limit=1')));
    expect([(await key!.get('/items')).status, (await application.get('/items')).status]).toEqual([429, 429]);
    const own = flow.oauth.key((await make(owner)).key);
    const shown = await own.get('/items?limit=1');
    expect([shown.status, ...quotaOf(shown)]).toEqual([200, USUAL, USUAL - 1, 'default']);
  });

  it('a key with a quota of its own has both quotas', async () => {
    const application = flow.oauth.bearer(await approve(await newUser()));
    const made = await make(application, { ...KEY, rate_limit: { requests: 2, seconds: 60 } });
    const key = flow.oauth.key(made.key);
    expect(quotaOf(await key.get('/items'))).toEqual([2, 1, 'default']);
    expect(quotaOf(await key.get('/items'))).toEqual([2, 0, 'default']);
    expect((await key.get('/items')).status).toBe(429);
    // The request above the key's quota does not count in the application's quota.
    expect(quotaOf(await application.get('/items'))).toEqual([USUAL, USUAL - 4, 'default']);
  });
});
