import { Browser, type Shown } from '@items/testing';
import type { User } from '@items/dtos/contract';

import { describeOnBothDatabases } from '../../../service/testing/fixture-database.testing.js';
import { startTestProvider, type TestProvider } from '../testing/identity-provider.testing.js';
import { startOauth, type OauthUnderTest } from '../testing/oauth.testing.js';

const PAGE = 'https://page.example/back';
const MEBIBYTE = 'x'.repeat(1_048_576);
const LIMIT = 262_144;

describeOnBothDatabases('Responses of an identity provider (§5.5)', (under) => {
  let provider: TestProvider;
  let oauth: OauthUnderTest;
  let withGroups: OauthUnderTest;

  const start = (more: object = {}): Promise<OauthUnderTest> =>
    startOauth(under.config, {
      FIRST_PARTY_REDIRECTS: PAGE,
      OIDC_LOGIN: JSON.stringify({
        issuer: provider.url,
        client_id: 'items',
        client_secret: 'secret',
        name: 'Example',
        ...more,
      }),
    });

  beforeAll(async () => {
    provider = await startTestProvider();
    oauth = await start();
    withGroups = await start({ role_claim: 'realm.roles', role_map: { boss: 'admin', staff: 'member' } });
  });
  afterAll(async () => {
    await oauth.close();
    await withGroups.close();
    provider.close();
  });
  beforeEach(() => {
    provider.documents = {};
    provider.requested.length = 0;
  });

  const authorize = `/oauth/authorize?${new URLSearchParams({
    client_id: 'first-party',
    response_type: 'code',
    redirect_uri: PAGE,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  }).toString()}`;

  /** @param payload the JSON of the ID token; `NONCE` in it becomes the nonce. */
  const logInBy = async (payload: Buffer | object, service = oauth, alg?: 'forged'): Promise<Shown> => {
    const browser = new Browser(service.baseUrl);
    const page = await browser.get(authorize);
    const interaction = page.url.pathname.split('/').at(-1) ?? '';
    const sent = await browser.submit({ url: new URL('/oauth/login', service.baseUrl) }, { interaction });
    if (sent.left === undefined) return sent;
    const nowSeconds = Math.floor(Date.now() / 1000);
    const usual = { iss: provider.url, aud: 'items', iat: nowSeconds, exp: nowSeconds + 60, nonce: 'NONCE' };
    const json = Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload));
    const text = json.toString('latin1').replace('{', `${JSON.stringify(usual).slice(0, -1)},`);
    await provider.expect(Buffer.from(text.replace('NONCE', sent.left.searchParams.get('nonce') ?? ''), 'latin1'), alg);
    const back = new URLSearchParams({ code: 'c', state: sent.left.searchParams.get('state') ?? '' });
    return browser.get(`/oauth/login/callback?${back.toString()}`);
  };
  const userOf = async (subject: string): Promise<User | undefined> => {
    const { users } = (await oauth.admin.get('/users?limit=100&sort=-created_at')).json() as { users: User[] };
    return users.find(({ identity }) => identity?.subject === subject);
  };
  const expectFault = (shown: Shown): void => {
    expect([shown.status, shown.left]).toEqual([503, undefined]);
    expect(shown.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(shown.text).toContain('The identity provider did not answer as it should.');
  };
  const expectLogin = ({ left }: Shown): void => {
    expect(left?.href).toMatch(`${PAGE}?`);
    expect(left?.searchParams.get('code')).toMatch(/^[\w-]{43}$/);
  };

  describe('a response of more than 256 KiB is a fault:', () => {
    const huge = { more: MEBIBYTE };

    it.each(['/jwks', '/me', '/token'])('%s', async (path) => {
      provider.documents[path] = path === '/me' ? { sub: 'big', ...huge } : huge;
      expectFault(await logInBy({ sub: 'big' }));
      expect(await userOf('big')).toBeUndefined();
    });

    it('the discovery document', async () => {
      const fresh = await start();
      try {
        provider.documents['/.well-known/openid-configuration'] = huge;
        expectFault(await logInBy({ sub: 'big' }, fresh));
      } finally {
        await fresh.close();
      }
    });

    it('measured in bytes: exactly 256 KiB is allowed', async () => {
      const userInfo = (bytes: number): string => {
        const text = JSON.stringify({ sub: `size${String(bytes)}`, preferred_username: 'sized', pad: '' });
        return text.replace('"pad":""', `"pad":"${'x'.repeat(bytes - text.length)}"`);
      };
      for (const [bytes, works] of [
        [LIMIT, true],
        [LIMIT + 1, false],
      ] as const) {
        provider.documents['/me'] = userInfo(bytes);
        const shown = await logInBy({ sub: `size${String(bytes)}` });
        if (works) expectLogin(shown);
        else expectFault(shown);
      }
    });
  });

  it('an ID token with a bad signature is a fault, even directly from the token endpoint', async () => {
    expectFault(await logInBy({ sub: 'forged', preferred_username: 'forged' }, oauth, 'forged'));
    expect(await userOf('forged')).toBeUndefined();
  });

  describe('a subject', () => {
    it.each([
      ['half of a surrogate pair', '\ud800a'],
      ['another half', 'a\udfff'],
      ['NUL', 'a\0b'],
      ['256 characters', 'x'.repeat(256)],
      ['no character', ''],
    ])('is a fault with %s', async (_what, sub) => {
      expectFault(await logInBy({ sub, preferred_username: 'nobody' }));
    });

    it('is a fault with invalid UTF-8', async () => {
      expectFault(await logInBy(Buffer.from('{"sub":"a\xff","preferred_username":"nobody"}', 'latin1')));
    });

    it.each(['😀'.repeat(255), ' spaced ', 'É', 'E\u0301', 'ADA', 'ada', '\u200b', '\ufffd'])(
      '%j is stored exactly, and is a user of its own',
      async (sub) => {
        expectLogin(await logInBy({ sub, preferred_username: 'exact' }));
        const user = await userOf(sub);
        expect(user?.identity).toEqual({ issuer: provider.url, subject: sub });
        expectLogin(await logInBy({ sub, preferred_username: 'other' }));
        expect((await userOf(sub))?.id).toBe(user?.id);
      },
    );
  });

  describe('UserInfo', () => {
    const me = (claims: object): void => {
      provider.documents['/me'] = claims;
    };

    it('is requested if the whole path of the role claim has no value in the ID token, whose claims win', async () => {
      me({ sub: 'path', preferred_username: 'not-this', realm: { roles: ['boss'] } });
      expectLogin(await logInBy({ sub: 'path', preferred_username: 'path', realm: { other: 1 } }, withGroups));
      expect(await userOf('path')).toMatchObject({ username: 'path', role: 'admin' });
    });

    it('is not requested if the ID token has the claims', async () => {
      me({ sub: 'full', realm: { roles: ['boss'] } });
      expectLogin(await logInBy({ sub: 'full', preferred_username: 'full', realm: { roles: 'staff' } }, withGroups));
      expect(await userOf('full')).toMatchObject({ username: 'full', role: 'member' });
      expect(provider.requested).not.toContain('/me');
    });

    it('is requested for the username at the first login only', async () => {
      me({ sub: 'named', preferred_username: 'named-there' });
      expectLogin(await logInBy({ sub: 'named' }));
      expect(await userOf('named')).toMatchObject({ username: 'named-there' });
      expect(provider.requested).toContain('/me');
      provider.requested.length = 0;
      expectLogin(await logInBy({ sub: 'named' }));
      expect(provider.requested).not.toContain('/me');
    });

    it.each([{ sub: 'another' }, {}, { sub: null }])('is a fault with sub %j', async (claims) => {
      me({ preferred_username: 'thief', ...claims });
      expectFault(await logInBy({ sub: 'robbed' }));
      expect(await userOf('robbed')).toBeUndefined();
    });

    it('is a fault if it fails', async () => {
      me('not JSON' as unknown as object);
      expectFault(await logInBy({ sub: 'broken' }));
    });

    it('without an endpoint, the claim is missing', async () => {
      const { documents } = provider;
      const url = `${provider.url}/.well-known/openid-configuration`;
      const metadata = (await (await fetch(url)).json()) as Record<string, unknown>;
      const fresh = await start();
      try {
        delete metadata['userinfo_endpoint'];
        documents['/.well-known/openid-configuration'] = metadata;
        expectLogin(await logInBy({ sub: 'nameless' }, fresh));
        expect(await userOf('nameless')).toMatchObject({ username: 'user', role: 'viewer' });
      } finally {
        await fresh.close();
      }
    });
  });
});
