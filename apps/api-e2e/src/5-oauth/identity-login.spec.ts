import { Browser, closingFetch, type HttpClient, type RunningApp, type Shown, startApp } from '@items/testing';

import { anonymous } from '../harness/clients.js';
import {
  type OutsideIssuer,
  type PersonAtIssuer,
  startCertifiedProvider,
  startIssuer,
} from '../harness/outside-issuer.js';
import { errorOf, expectStatus } from '../harness/reading.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';

const PASSWORD = 'correct horse battery';
const PAGE = 'http://127.0.0.1:9/callback';
/** The example of RFC 7636, appendix B. */
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

interface ShownUser {
  readonly id: string;
  readonly username: string;
  readonly role: string;
  readonly identity: { readonly issuer: string; readonly subject: string } | null;
}

describeStarted('§5 Login by the identity provider of the organisation (OIDC_LOGIN)', () => {
  let issuer: OutsideIssuer;
  let app: RunningApp;
  let admin: HttpClient;
  let origin: string;

  const start = async (more: object = {}): Promise<RunningApp> =>
    startApp({
      database: databaseUnderTest(),
      env: {
        FIRST_PARTY_REDIRECTS: PAGE,
        OIDC_LOGIN: JSON.stringify({
          issuer: issuer.url,
          client_id: 'items',
          client_secret: 'top:secret',
          name: 'Example & Co',
          role_claim: 'realm.roles',
          role_map: { staff: 'member', boss: 'admin' },
          ...more,
        }),
        OAUTH_ISSUERS: JSON.stringify([{ issuer: issuer.url, audience: 'items', subject_claim: 'oid' }]),
      },
    });
  const use = (started: RunningApp): void => {
    app = started;
    origin = `http://localhost:${String(app.port)}`;
    admin = anonymous.withOptions({ baseUrl: app.baseUrl }).withHeaders(['X-API-Key', app.adminKey]);
  };

  beforeAll(async () => {
    issuer = await startIssuer();
    use(await start());
  });
  afterAll(async () => {
    await app.stop();
    await issuer.stop();
  });

  const authorize = (prompt?: string): string =>
    `/oauth/authorize?${new URLSearchParams({
      client_id: 'first-party',
      response_type: 'code',
      redirect_uri: PAGE,
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      state: 'page',
      ...(prompt !== undefined && { prompt }),
    }).toString()}`;
  const interactionOf = ({ url }: Shown): string => url.pathname.split('/').at(-1) ?? '';
  /** Presses the button "Continue with …". */
  const press = (browser: Browser, page: Shown): Promise<Shown> =>
    browser.submit({ url: new URL('/oauth/login', origin) }, { interaction: interactionOf(page) });

  /** @returns `to`, to which the service redirects the browser, and `back`, to which the provider redirects it. */
  async function redirectToProvider(
    browser: Browser,
    person: PersonAtIssuer,
    prompt?: string,
  ): Promise<{ to: URL; back: URL }> {
    const { left: to } = await press(browser, await browser.get(authorize(prompt)));
    if (to === undefined) throw new Error('The browser was not sent to the provider');
    return { to, back: await issuer.logIn(to, person) };
  }

  const here = (back: URL): URL => new URL(back.pathname + back.search, origin);
  const logIn = async (person: PersonAtIssuer, browser = new Browser(origin)): Promise<Shown> =>
    browser.get(here((await redirectToProvider(browser, person)).back));

  /** Exchanges a page's authorization code for an access token. */
  async function tokenOf({ left }: Shown): Promise<string> {
    const form = { grant_type: 'authorization_code', client_id: 'first-party', redirect_uri: PAGE };
    const code = left?.searchParams.get('code') ?? '';
    const body = new URLSearchParams({ ...form, code_verifier: VERIFIER, code });
    const answer = await closingFetch(`${origin}/oauth/token`, { method: 'POST', body });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { access_token: string }).access_token;
  }

  const holderOf = (token: string): HttpClient =>
    anonymous.withOptions({ baseUrl: app.baseUrl }).withHeaders(['Authorization', `Bearer ${token}`]);

  async function userOf(shown: Shown): Promise<ShownUser> {
    const me = await holderOf(await tokenOf(shown)).get('/users/me');
    expectStatus(me, 200);
    return me.json() as ShownUser;
  }

  const person = (sub: string, more: object = {}): PersonAtIssuer => ({
    claims: { sub, preferred_username: sub, ...more },
  });

  it('the login page offers the provider next to the password, and its policy allows the redirect', async () => {
    const page = await new Browser(origin).get(authorize());
    expect(page.text).toContain('Continue with Example &amp; Co');
    expect(page.text).toContain('name="password"');
    expect(page.headers.get('content-security-policy')).toContain(
      `form-action 'self' ${new URL(PAGE).origin} ${issuer.url}`,
    );
  });

  it('requests a code with PKCE, state and nonce', async () => {
    const { to } = await redirectToProvider(new Browser(origin), person('asked'));
    expect(to.origin + to.pathname).toBe(`${issuer.url}/authorize`);
    expect(Object.fromEntries(to.searchParams)).toMatchObject({
      client_id: 'items',
      response_type: 'code',
      response_mode: 'query',
      redirect_uri: `${origin}/oauth/login/callback`,
      scope: 'openid profile email',
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    expect(to.searchParams.has('prompt')).toBe(false);
    const again = await redirectToProvider(new Browser(origin), person('asked'), 'login');
    expect(again.to.searchParams.get('prompt')).toBe('login');
  });

  it('creates a user at the first login, and identifies them by issuer and subject only', async () => {
    const first = await userOf(await logIn(person('Ada Lovelace!', { realm: { roles: ['staff', 'other'] } })));
    expect(first).toMatchObject({
      username: 'ada-lovelace',
      role: 'member',
      identity: { issuer: issuer.url, subject: 'Ada Lovelace!' },
    });
    const renamed = await userOf(await logIn({ claims: { sub: 'Ada Lovelace!', preferred_username: 'countess' } }));
    expect(renamed).toEqual(first);
    const namesake = await userOf(await logIn({ claims: { sub: 'other', preferred_username: 'ada.lovelace' } }));
    const third = await userOf(await logIn({ claims: { sub: 'third', preferred_username: 'ada.lovelace' } }));
    expect([namesake.username, third.username, namesake.role]).toEqual(['ada.lovelace', 'ada.lovelace-2', 'viewer']);
    const recorded = await admin.get(`/audit-events?object_id=${first.id}`);
    expect((recorded.json() as { audit_events: object[] }).audit_events).toMatchObject([
      { type: 'user.created', actor: { type: 'system', user_id: null }, request_id: null },
    ]);
  });

  it('the highest role that the provider sends counts, also from the UserInfo response', async () => {
    const both = await userOf(await logIn(person('both', { realm: { roles: ['staff', 'boss'] } })));
    const text = await userOf(await logIn({ ...person('text'), userinfo: { sub: 'text', realm: { roles: 'boss' } } }));
    expect([both.role, text.role]).toEqual(['admin', 'admin']);
  });

  it('the user has no password: Basic, sessions and a change of it are refused, until an administrator sets one', async () => {
    const user = await userOf(await logIn(person('plain', { realm: { roles: ['staff'] } })));
    const service = anonymous.withOptions({ baseUrl: app.baseUrl });
    expectStatus(await service.post('/sessions', { username: 'plain', password: '' }), 422);
    expectStatus(await service.post('/sessions', { username: 'plain', password: PASSWORD }), 401);
    const key = await admin.put(`/users/${user.id}`, { username: 'plain', password: PASSWORD });
    expectStatus(key, 200);
    expect((key.json() as ShownUser).identity).toEqual(user.identity);
    expectStatus(await service.post('/sessions', { username: 'plain', password: PASSWORD }), 201);
  });

  it('PUT /users/me/password is 409 no_password for such a user', async () => {
    const wordless = holderOf(await tokenOf(await logIn(person('wordless'))));
    const changed = await wordless.put('/users/me/password', { current_password: 'x', password: PASSWORD });
    expect(errorOf(changed, 409).code).toBe('no_password');
  });

  it('a disabled user cannot log in', async () => {
    const user = await userOf(await logIn(person('gone')));
    expectStatus(await admin.put(`/users/${user.id}`, { username: 'gone', disabled: true }), 200);
    const refused = await logIn(person('gone'));
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('may not use this service');
  });

  it('an administrator links and unlinks users', async () => {
    const made = await admin.post('/users', { username: 'linked', password: PASSWORD });
    const { id } = made.json() as ShownUser;
    const identity = { issuer: issuer.url, subject: 'linked-person' };
    expectStatus(await admin.delete(`/users/${id}/identity`), 404);
    const linked = await admin.put(`/users/${id}/identity`, identity);
    expectStatus(linked, 200);
    expect(linked.json()).toEqual(identity);
    expect(((await admin.get(`/users/${id}`)).json() as ShownUser).identity).toEqual(identity);
    const browser = new Browser(origin);
    expect((await userOf(await logIn(person('linked-person'), browser))).id).toBe(id);
    // The logged-in browser gets a code without a page.
    expect((await browser.get(authorize())).left?.searchParams.has('code')).toBe(true);

    const other = (await admin.post('/users', { username: 'other-user', password: PASSWORD })).json() as ShownUser;
    expect(errorOf(await admin.put(`/users/${other.id}/identity`, identity), 409).code).toBe('identity_taken');
    expectStatus(await admin.delete(`/users/${id}/identity`), 204);
    expect(((await admin.get(`/users/${id}`)).json() as ShownUser).identity).toBeNull();
    expect((await browser.get(authorize())).text).toContain('name="password"');
    expectStatus(await admin.put(`/users/${other.id}/identity`, identity), 200);
    expectStatus(await admin.put(`/users/${other.id}/identity`, { issuer: issuer.url }), 422);
    expectStatus(await admin.put('/users/018f0000-0000-7000-8000-000000000000/identity', identity), 404);
  });

  it('users are linked only by administrators, who cannot exceed their own permissions', async () => {
    const boss = (
      await admin.post('/users', { username: 'boss', password: PASSWORD, role: 'admin' })
    ).json() as ShownUser;
    const key = await admin.post('/api-keys', { name: 'Narrow', scopes: ['users:write'] });
    const narrow = anonymous
      .withOptions({ baseUrl: app.baseUrl })
      .withHeaders(['X-API-Key', (key.json() as { key: string }).key]);
    const refused = await narrow.put(`/users/${boss.id}/identity`, { issuer: issuer.url, subject: 'thief' });
    expect(errorOf(refused, 403).code).toBe('scope_escalation');
    const member = await userOf(await logIn(person('member', { realm: { roles: ['staff'] } })));
    const session = anonymous.withOptions({ baseUrl: app.baseUrl });
    expectStatus(await session.put(`/users/${member.id}/identity`, { issuer: issuer.url, subject: 'x' }), 401);
  });

  describe('a token of the provider for the person (OAUTH_ISSUERS)', () => {
    const tokenFor = (oid: string, scope: string): Promise<string> =>
      issuer.token({ aud: 'items', sub: `other-${oid}`, oid, scope });

    it('acts for the linked user, with the permissions that both have, and never as an administrator', async () => {
      const { id } = await userOf(await logIn(person('mapped', { realm: { roles: ['boss'] } })));
      const holder = holderOf(await tokenFor('mapped', 'users:read users:write orders:read keys:manage'));
      expect(((await holder.get('/users/me')).json() as ShownUser).id).toBe(id);
      expectStatus(await holder.get('/users/me/orders'), 200);
      expectStatus(await holder.get('/items'), 403);
      expect(errorOf(await holder.get('/users'), 403).code).toBe('not_owner');
      expect(errorOf(await holder.put('/users/me', { username: 'mapped', password: PASSWORD }), 403).code).toBe(
        'insufficient_scope',
      );
      expect(errorOf(await holder.post('/api-keys', { name: 'K', scopes: ['users:read'] }), 403).code).toBe(
        'delegated_credential',
      );
      const password = { current_password: PASSWORD, password: PASSWORD };
      expect(errorOf(await holder.put('/users/me/password', password), 403).code).toBe('delegated_credential');
    });

    it('makes changes that are recorded as those of the user', async () => {
      const { id } = await userOf(await logIn(person('recorded', { realm: { roles: ['staff'] } })));
      const holder = holderOf(await tokenFor('recorded', 'items:write'));
      const item = (await holder.post('/items', { name: 'Mug' })).json() as { id: string };
      const { audit_events: events } = (await admin.get(`/audit-events?object_id=${item.id}`)).json() as {
        audit_events: { actor: object }[];
      };
      expect(events[0]?.actor).toEqual({ type: 'user', user_id: id, credential_id: null, client_id: null });
    });

    it('is 401 for a disabled user, and belongs to no user after they are unlinked', async () => {
      const { id } = await userOf(await logIn(person('switched')));
      const holder = holderOf(await tokenFor('switched', 'users:read items:read'));
      expectStatus(await holder.get('/users/me'), 200);
      expectStatus(await admin.put(`/users/${id}`, { username: 'switched', disabled: true }), 200);
      expectStatus(await holder.get('/items'), 401);
      expectStatus(await admin.put(`/users/${id}`, { username: 'switched', disabled: false }), 200);
      expectStatus(await admin.delete(`/users/${id}/identity`), 204);
      expectStatus(await holder.get('/users/me'), 404);
      expectStatus(await holder.get('/items'), 200);
    });
  });

  describe('wrong parameters from the browser are a page with 400', () => {
    it.each<[string, (back: URL) => void]>([
      ['an unknown state', (back) => back.searchParams.set('state', 'x'.repeat(43))],
      ['no state', (back) => back.searchParams.delete('state')],
      ['two states', (back) => back.searchParams.append('state', 'other')],
      ['another issuer', (back) => back.searchParams.set('iss', 'https://login.example')],
      ['no issuer, where the provider promises it', (back) => back.searchParams.delete('iss')],
      ['an error', (back) => back.searchParams.set('error', 'access_denied')],
      ['no code', (back) => back.searchParams.delete('code')],
      ['a code that the provider did not give', (back) => back.searchParams.set('code', 'forged')],
      ['two codes', (back) => back.searchParams.append('code', 'other')],
    ])('%s', async (_what, change) => {
      const browser = new Browser(origin);
      const { back } = await redirectToProvider(browser, person('nobody'));
      const forged = new URL(back);
      change(forged);
      const shown = await browser.get(here(forged));
      expect([shown.status, shown.left]).toEqual([400, undefined]);
      expect(shown.headers.get('content-type')).toContain('text/html');
    });

    it('a state that was used', async () => {
      const browser = new Browser(origin);
      const { back } = await redirectToProvider(browser, person('twice'));
      const cookie = browser.cookiesFor('/oauth/login/callback');
      expect((await browser.get(here(back))).left?.searchParams.has('code')).toBe(true);
      expect((await browser.get(here(back), { cookie })).status).toBe(400);
    });

    it("another browser's state, which the first browser can still use", async () => {
      const browser = new Browser(origin);
      const { back } = await redirectToProvider(browser, person('first'));
      expect((await new Browser(origin).get(here(back))).status).toBe(400);
      expect((await browser.get(here(back))).left?.searchParams.has('code')).toBe(true);
    });

    it('a form of an unknown page, and of another site', async () => {
      const browser = new Browser(origin);
      const page = { url: new URL('/oauth/login', origin) };
      expect((await browser.submit(page, { interaction: 'none' })).status).toBe(400);
      const shown = await browser.get(authorize());
      const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      expect((await browser.submit(page, { interaction: interactionOf(shown) }, evil)).status).toBe(400);
    });
  });

  describe('a fault of the provider is a page with 503, and logs no user in', () => {
    it.each<[string, PersonAtIssuer]>([
      ['another nonce', { claims: { nonce: 'other' } }],
      ['another issuer', { claims: { iss: 'https://login.example' } }],
      ['another audience', { claims: { aud: 'other' } }],
      ['an expired ID token', { claims: { exp: 1_700_000_000 } }],
      ['a forged signature', { by: 'forger' }],
      ['alg: none', { by: 'none' }],
      ['the public key as a secret', { by: 'public key' }],
      ['no subject', { claims: { sub: undefined } }],
      ['an error of its own', { status: 500 }],
      ['no answer within 5 s', { isLate: true }],
    ])('%s', async (_what, answers) => {
      const shown = await logIn(answers);
      expect([shown.status, shown.left]).toEqual([503, undefined]);
      expect(shown.text).toContain('did not answer as it should');
    });
  });

  it('roles follow the provider only with sync_role; without the claim, and for the last administrator, they stay', async () => {
    await app.stop();
    use(await start({ sync_role: true, require: { groups: ['items', 'all'] }, default_role: null, only: true }));
    const groups = ['x', 'items'];
    expect((await logIn(person('outsider', { realm: { roles: ['staff'] } }))).status).toBe(403);
    expect((await logIn(person('roleless', { groups }))).status).toBe(403);
    expect((await admin.get('/users?limit=1')).json()).toMatchObject({ users: [] });

    const changing = (roles: string[] | undefined): PersonAtIssuer =>
      person('changing', { groups, ...(roles !== undefined && { realm: { roles } }) });
    expect((await userOf(await logIn(changing(['boss'])))).role).toBe('admin');
    // The user is the last administrator.
    expect((await userOf(await logIn(changing(['staff'])))).role).toBe('admin');
    expect((await userOf(await logIn(person('second', { groups, realm: { roles: 'boss' } })))).role).toBe('admin');
    expect((await userOf(await logIn(changing(undefined)))).role).toBe('admin');
    expect((await userOf(await logIn(changing(['staff'])))).role).toBe('member');
    expect((await logIn(changing(['nothing']))).status).toBe(403);
  });

  it('only: the page has no password form, and accepts no password', async () => {
    const browser = new Browser(origin);
    const page = await browser.get(authorize());
    expect(page.text).toContain('Continue with');
    expect(page.text).not.toContain('name="password"');
    expectStatus(await admin.post('/users', { username: 'typist', password: PASSWORD }), 201);
    expect((await browser.submit(page, { username: 'typist', password: PASSWORD })).status).toBe(422);
    const session = { username: 'typist', password: PASSWORD };
    expectStatus(await anonymous.withOptions({ baseUrl: app.baseUrl }).post('/sessions', session), 201);
  });

  it('works with oidc-provider', async () => {
    const provider = await startCertifiedProvider();
    try {
      await app.stop();
      use(await start({ issuer: provider.url, role_claim: 'groups' }));
      const browser = new Browser(origin);
      const { left: to } = await press(browser, await browser.get(authorize()));
      const { left: back } = await new Browser(provider.url).get(to ?? '');
      if (back === undefined) throw new Error('The provider did not send the browser back');
      expect(await userOf(await browser.get(here(back)))).toMatchObject({
        username: 'ada-example.com',
        role: 'member',
        identity: { issuer: provider.url, subject: 'ada' },
      });
    } finally {
      await provider.stop();
    }
  });

  it('an unreachable provider is a page with 503, and passwords still work', async () => {
    await app.stop();
    use(await start({ issuer: 'http://127.0.0.1:9' }));
    const browser = new Browser(origin);
    const page = await browser.get(authorize());
    expect((await press(browser, page)).status).toBe(503);
    expectStatus(await admin.post('/users', { username: 'local', password: PASSWORD }), 201);
    const { left } = await browser.submit(page, { username: 'local', password: PASSWORD });
    expect(left?.searchParams.has('code')).toBe(true);
  });
});
