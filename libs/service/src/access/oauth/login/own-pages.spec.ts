import type { Session } from '@items/dtos/contract';
import { Browser } from '@items/testing';

import { loadConfig } from '../../../runtime/config/load-config.js';

import { describeOnBothDatabases } from '../../../service/testing/fixture-database.testing.js';
import { CALLBACK, type CodeFlow, codeOf, errorOf, startCodeFlow, type Tokens } from '../testing/code-flow.testing.js';
import { formOf } from '../testing/oauth.testing.js';

const PAGE = 'https://app.example.com/done';

describeOnBothDatabases('First-party pages log people in by the code flow (§5 OAuth 2.0)', (under) => {
  let flow: CodeFlow;

  beforeAll(async () => {
    const base = await startCodeFlow(under.config, { FIRST_PARTY_REDIRECTS: `${PAGE},${CALLBACK}` });
    await base.oauth.addUser({ username: 'anna', role: 'admin' });
    flow = base.for({ ...base.client, client_id: 'first-party' });
  });
  afterAll(() => flow.oauth.close());

  const codeFor = async (username: string, browser = new Browser(flow.oauth.baseUrl)): Promise<string> =>
    codeOf(await flow.logIn(browser, { redirect_uri: PAGE, scope: undefined }, username));
  const exchange = (code: string): Promise<Response> =>
    flow.exchangeAs(code, { client_id: 'first-party', redirect_uri: PAGE });
  const tokensFor = async (username: string): Promise<Tokens> => {
    const answer = await exchange(await codeFor(username));
    expect(answer.status).toBe(200);
    return (await answer.json()) as Tokens;
  };
  const sessionsOf = async (username: string): Promise<readonly Session[]> =>
    ((await flow.oauth.basic(username).get('/sessions')).json() as { sessions: Session[] }).sessions;

  it('a login needs no consent, and starts a session with all scopes of the user', async () => {
    const { access_token: token, scope } = await tokensFor('anna');
    expect(scope.split(' ')).toEqual(expect.arrayContaining(['users:write', 'clients:manage', 'webhooks:manage']));
    const [session] = await sessionsOf('anna');
    expect(session?.scope).toBe(scope);
    expect((await flow.oauth.bearer(token).get('/users')).status).toBe(200);
    expect((await flow.oauth.bearer(token).delete(`/sessions/${session?.id ?? ''}`)).status).toBe(204);
    expect((await flow.oauth.bearer(token).get('/users')).status).toBe(401);
  });

  it('the session omits scopes that the user does not have, and can be refreshed', async () => {
    const { scope, refresh_token: refreshToken } = await tokensFor('mary');
    expect(scope.split(' ')).not.toContain('users:write');
    const renewed = await formOf(flow.oauth.baseUrl, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: 'first-party',
    });
    expect(renewed.status).toBe(200);
    expect(await sessionsOf('mary')).toHaveLength(1);
  });

  it('an unredeemed code starts no session, and the second use of a code ends its session', async () => {
    const before = (await sessionsOf('mary')).length;
    const code = await codeFor('mary');
    expect(await sessionsOf('mary')).toHaveLength(before);
    const tokens = (await (await exchange(code)).json()) as Tokens;
    expect(await sessionsOf('mary')).toHaveLength(before + 1);
    expect(await errorOf(await exchange(code))).toEqual([400, 'invalid_grant']);
    expect(await flow.statusWith(tokens.access_token)).toBe(401);
    expect(await sessionsOf('mary')).toHaveLength(before);
  });

  it('each login is a session of its own, also in a browser that is logged in', async () => {
    const before = (await sessionsOf('mary')).length;
    const browser = new Browser(flow.oauth.baseUrl);
    await exchange(await codeFor('mary', browser));
    const again = await browser.get(flow.authorizeUrl({ redirect_uri: PAGE }));
    expect((await exchange(codeOf(again))).status).toBe(200);
    expect(await sessionsOf('mary')).toHaveLength(before + 2);
  });

  it('a login needs an exact redirect URI of FIRST_PARTY_REDIRECTS, and PKCE', async () => {
    const browser = new Browser(flow.oauth.baseUrl);
    for (const redirect of [`${PAGE}/`, 'https://app.example.com/other', 'http://127.0.0.1:1/done']) {
      const shown = await browser.get(flow.authorizeUrl({ redirect_uri: redirect }));
      expect([shown.status, shown.left]).toEqual([400, undefined]);
    }
    const shown = await browser.get(flow.authorizeUrl({ redirect_uri: PAGE, code_challenge: undefined }));
    expect(shown.left?.searchParams.get('error')).toBe('invalid_request');
  });

  it('their origins may call every route by CORS', async () => {
    const answer = await fetch(`${flow.oauth.baseUrl}/items`, { headers: { origin: 'https://app.example.com' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
  });

  it('the audit names the user of the session', async () => {
    await tokensFor('mary');
    const page = (await flow.oauth.admin.get('/audit-events?type=session.created')).json() as {
      audit_events: { actor: object; object: { id: string } }[];
    };
    const latest = page.audit_events.at(-1);
    expect(latest?.actor).toMatchObject({
      type: 'user',
      credential_id: latest?.object.id,
      client_id: 'first-party',
    });
    const filtered = await flow.oauth.admin.get('/audit-events?actor_id=first-party&type=session.created');
    expect((filtered.json() as typeof page).audit_events.at(-1)?.object).toEqual(latest?.object);
  });
});

describe('FIRST_PARTY_REDIRECTS', () => {
  it.each([
    ['ftp://x.example/'],
    ['http://app.example.com/'],
    ['https://a.example/#x'],
    ['https://u:p@a.example/'],
    ['x'],
  ])('%s stops the start', (value) => {
    expect(() => loadConfig({ FIRST_PARTY_REDIRECTS: value })).toThrow(/FIRST_PARTY_REDIRECTS must list URLs/);
  });
});
