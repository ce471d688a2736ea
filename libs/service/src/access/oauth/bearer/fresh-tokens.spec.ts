import { Browser, HttpClient, withMovableClock } from '@items/testing';

import { describeOnBothDatabases } from '../../../service/testing/fixture-database.testing.js';
import { CodeFlow, codeOf, startCodeFlow, type Tokens } from '../testing/code-flow.testing.js';
import { startOauth, type OauthUnderTest } from '../testing/oauth.testing.js';

const SCOPE = 'items:read keys:manage';
/** Number of concurrent code flows, each of its own user. */
const USERS = 4;
const FLOWS = 3;
const NEW_PASSWORD = 'another horse battery';

describeOnBothDatabases('A token that one instance has just issued', (under) => {
  let here: CodeFlow;
  let there: CodeFlow;

  beforeAll(async () => {
    const started = await startCodeFlow(under.config);
    const client = await started.register({ scopes: SCOPE.split(' ') });
    here = started.for(client);
    there = new CodeFlow(await startOauth(under.config), client);
  });
  afterAll(() => Promise.all([here.oauth.close(), there.oauth.close()]));

  async function tokenOf(flow: CodeFlow, username: string, password = flow.oauth.password): Promise<string> {
    const browser = new Browser(flow.oauth.baseUrl);
    const login = await browser.get(flow.authorizeUrl({ scope: SCOPE }));
    const consent = await browser.submit(login, { username, password });
    const answer = await flow.exchange(codeOf(await browser.submit(consent, { decision: 'allow' })));
    return ((await answer.json()) as Tokens).access_token;
  }

  const addUser = async ({ oauth }: CodeFlow, username: string): Promise<string> =>
    oauth.addUser({ username, role: 'member' });
  const makeKey = async ({ oauth }: CodeFlow, token: string): Promise<number> =>
    (await oauth.bearer(token).post('/api-keys', { name: 'x', scopes: ['items:read'] })).status;
  const statusAt = async ({ oauth }: { oauth: OauthUnderTest }, token: string): Promise<number> =>
    (await oauth.bearer(token).get('/items')).status;

  it('is valid on the other one, under load', async () => {
    const statuses: number[] = [];
    const flowsOf = async (_: unknown, n: number): Promise<void> => {
      const username = `load-${String(n)}`;
      await addUser(n % 2 === 0 ? here : there, username);
      for (let flow = 0; flow < FLOWS; flow += 1) {
        const [issuer, other] = (n + flow) % 2 === 0 ? [here, there] : [there, here];
        statuses.push(await makeKey(other, await tokenOf(issuer, username)));
      }
    };
    const isOver = Promise.all(Array.from({ length: USERS }, flowsOf));
    const load = { isOn: true };
    void isOver.finally(() => (load.isOn = false));
    while (load.isOn) await Promise.all(Array.from({ length: 8 }, () => there.oauth.admin.get('/items')));
    await isOver;
    expect(statuses).toEqual(Array.from({ length: USERS * FLOWS }, () => 201));
  });

  it('is valid on the other one if the password was changed a moment ago', async () => {
    await addUser(here, 'changed');
    // This caches the user with the former password.
    await tokenOf(here, 'changed');
    const pair = Buffer.from(`changed:${there.oauth.password}`).toString('base64');
    const client = new HttpClient({ baseUrl: there.oauth.baseUrl, headers: [['Authorization', `Basic ${pair}`]] });
    const passwords = { current_password: there.oauth.password, password: NEW_PASSWORD };
    expect((await client.put(`/users/me/password`, passwords)).status).toBe(204);
    const token = await tokenOf(here, 'changed', NEW_PASSWORD);
    expect([await makeKey(there, token), await statusAt(there, token), await statusAt(here, token)]).toEqual([
      201, 200, 200,
    ]);
  });

  it('is valid on the other one if the user was disabled until a moment ago', async () => {
    await withMovableClock(async (pass) => {
      const id = await addUser(here, 'enabled');
      const [early, late] = [await tokenOf(here, 'enabled'), await tokenOf(here, 'enabled')];
      const change = async (disabled: boolean): Promise<number> =>
        (await here.oauth.admin.put(`/users/${id}`, { username: 'enabled', role: 'member', disabled })).status;
      expect(await statusAt(there, early)).toBe(200);
      pass(3000);
      expect(await statusAt(there, late)).toBe(200);
      pass(1500);
      expect(await change(true)).toBe(200);
      // The other instance has cached the token, but reads the user again.
      expect(await statusAt(there, late)).toBe(401);
      expect(await change(false)).toBe(200);
      expect(await makeKey(there, await tokenOf(here, 'enabled'))).toBe(201);
    });
  });
});
