import type { ApiKey, AuditEvent, CreatedApiKey, CreatedClient } from '@items/dtos/contract';
import { Browser, type HttpClient, withMovableClock } from '@items/testing';

import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { refusal } from '../../service/testing/start-fixture.testing.js';
import { codeOf, startCodeFlow, type CodeFlow, type Tokens } from '../oauth/testing/code-flow.testing.js';
import { formOf, startOauth, type OauthUnderTest } from '../oauth/testing/oauth.testing.js';

const SCOPES = ['items:read', 'items:write', 'keys:manage'];
const UNKNOWN = '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27';

/** Sorts like `sort=-created_at`: keys of the same millisecond by ascending id. */
function newestFirst(keys: readonly ApiKey[]): readonly string[] {
  const byId = keys.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return byId.toSorted((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at)).map(({ id }) => id);
}

interface Page {
  readonly total: number;
  readonly api_keys: readonly ApiKey[];
  readonly next_cursor?: string | null;
}

/** An application that its own user has approved. */
interface Approved {
  readonly username: string;
  readonly client: Required<CreatedClient>;
  readonly tokens: Tokens;
  readonly app: HttpClient;
  readonly user: HttpClient;
}

describeOnBothDatabases('§5.3 Keys of applications', (under) => {
  let flow: CodeFlow;
  let there: OauthUnderTest;
  let users = 0;

  beforeAll(async () => {
    flow = await startCodeFlow(under.config);
    there = await startOauth(under.config);
  });
  afterAll(() => Promise.all([flow.oauth.close(), there.close()]));

  const newUser = async (): Promise<string> => {
    const username = `user-${String((users += 1))}`;
    await flow.oauth.addUser({ username, role: 'member' });
    return username;
  };
  const approve = async (username: string, client?: Required<CreatedClient>): Promise<Approved> => {
    const registered = client ?? (await flow.register({ name: 'Shop', scopes: SCOPES }));
    const shop = flow.for(registered);
    const browser = new Browser(flow.oauth.baseUrl);
    const page = await shop.logIn(browser, { scope: SCOPES.join(' ') }, username);
    const left = page.left === undefined ? await browser.submit(page, { decision: 'allow' }) : page;
    const tokens = (await (await shop.exchange(codeOf(left))).json()) as Tokens;
    return {
      username,
      client: registered,
      tokens,
      app: flow.oauth.bearer(tokens.access_token),
      user: flow.oauth.basic(username),
    };
  };
  const make = async (by: HttpClient, input: object = {}): Promise<CreatedApiKey> => {
    const answer = await by.post('/api-keys', { name: 'x', scopes: ['items:read'], ...input });
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    return answer.json() as CreatedApiKey;
  };
  const status = async (key: string, at: OauthUnderTest = flow.oauth): Promise<number> =>
    (await at.key(key).get('/items?limit=1')).status;
  const grantOf = async (user: HttpClient): Promise<string> => {
    const { grants } = (await user.get('/users/me/grants')).json() as { grants: { id: string }[] };
    return grants[0]?.id ?? '';
  };
  /** Returns the keys that ended together with a resource, from the audit records. */
  const endedWith = async (id: string): Promise<string[]> => {
    const eventsOf = async (query: string): Promise<readonly AuditEvent[]> => {
      const answer = await flow.oauth.admin.get(`/audit-events?limit=100&sort=-timestamp&${query}`);
      return (answer.json() as { audit_events: AuditEvent[] }).audit_events;
    };
    const [cause] = await eventsOf(`object_id=${id}`);
    const keys = await eventsOf('type=api_key.deleted');
    return keys.filter((key) => key.request_id === cause?.request_id).map(({ object }) => object.id);
  };

  it('name the application that created them', async () => {
    const { app, user, client } = await approve(await newUser());
    const [made, own] = [await make(app), await make(user)];
    expect([made.client_id, own.client_id]).toEqual([client.client_id, null]);
    const shown = (await user.get(`/api-keys/${made.id}`)).json() as ApiKey;
    expect(shown.client_id).toBe(client.client_id);
    const { api_keys: keys } = (await user.get('/api-keys')).json() as Page;
    expect(keys.map((key) => key.client_id)).toEqual([client.client_id, null]);
    const rotated = await user.post(`/api-keys/${made.id}/rotations`, {});
    expect((rotated.json() as CreatedApiKey).client_id).toBe(client.client_id);
    const sent = await user.put(`/api-keys/${own.id}`, { name: 'y', client_id: client.client_id });
    expect([sent.status, (sent.json() as ApiKey).client_id]).toEqual([200, null]);
  });

  it('an application lists and counts only its own keys, in both styles, also with one of these keys', async () => {
    const username = await newUser();
    const [shop, other] = [await approve(username), await approve(username)];
    await make(shop.user);
    await make(other.app);
    const made = [await make(shop.app, { scopes: ['items:read', 'keys:manage'] }), await make(shop.app)];
    const byKey = flow.oauth.key(made[0]?.key ?? '');
    made.push(await make(byKey));
    expect(made[2]?.client_id).toBe(shop.client.client_id);
    const ids = made.map(({ id }) => id);
    for (const client of [shop.app, byKey]) {
      const page = (await client.get('/api-keys?page=1')).json() as Page;
      expect([page.total, page.api_keys.map(({ id }) => id)]).toEqual([3, ids]);
      const first = (await client.get('/api-keys?limit=2&sort=-created_at')).json() as Page;
      await make(shop.user);
      const rest = (
        await client.get(`/api-keys?limit=2&sort=-created_at&cursor=${first.next_cursor ?? ''}`)
      ).json() as Page;
      expect([...first.api_keys, ...rest.api_keys].map(({ id }) => id)).toEqual(newestFirst(made));
      expect(rest.next_cursor).toBeUndefined();
    }
    const all = (await shop.user.get('/api-keys?page=1')).json() as Page;
    expect(all.total).toBe(all.api_keys.length);
    expect(all.total).toBe(7);
  });

  it('an application reads, changes, rotates and deletes only its own keys: others are 404', async () => {
    const username = await newUser();
    const [shop, other] = [await approve(username), await approve(username)];
    const foreign = [
      await make(shop.user),
      await make(other.app),
      await make(flow.oauth.basic(await newUser())),
      await make(flow.oauth.admin),
    ];
    const { id, key } = await make(shop.app, { scopes: ['items:read', 'keys:manage'] });
    for (const client of [shop.app, flow.oauth.key(key)]) {
      for (const target of [...foreign.map((each) => each.id), UNKNOWN]) {
        const answers = [
          await client.get(`/api-keys/${target}`),
          await client.put(`/api-keys/${target}`, { name: 'taken' }),
          await client.post(`/api-keys/${target}/rotations`, {}),
          await client.delete(`/api-keys/${target}`),
        ];
        expect(answers.map(refusal)).toEqual(Array(4).fill([404, 'api_key_not_found']));
      }
      expect((await client.put(`/api-keys/${id}`, { name: 'renamed' })).status).toBe(200);
      expect((await client.post(`/api-keys/${id}/rotations`, {})).status).toBe(201);
    }
    expect(await Promise.all(foreign.slice(0, 2).map((each) => status(each.key)))).toEqual([200, 200]);
    expect((await shop.app.delete(`/api-keys/${id}`)).status).toBe(204);
  });

  it('end with the approval, immediately here and within 5 s elsewhere, even a secret in its grace period; other keys stay', async () => {
    await withMovableClock(async (pass) => {
      const username = await newUser();
      const [shop, other] = [await approve(username), await approve(username)];
      const made = [await make(shop.app), await make(shop.app)];
      const [graced] = made;
      const rotation = await shop.app.post(`/api-keys/${graced?.id ?? ''}/rotations`, {});
      const secrets = [...made.map(({ key }) => key), (rotation.json() as CreatedApiKey).key];
      const kept = [(await make(shop.user)).key, (await make(other.app)).key];
      const statuses = (keys: readonly string[], at: OauthUnderTest): Promise<number[]> =>
        Promise.all(keys.map((key) => status(key, at)));
      expect(await statuses(secrets, flow.oauth)).toEqual([200, 200, 200]);
      expect(await statuses(secrets, there)).toEqual([200, 200, 200]);
      const grants = (await shop.user.get('/users/me/grants')).json() as {
        grants: { id: string; client_id: string }[];
      };
      const grant = grants.grants.find(({ client_id: id }) => id === shop.client.client_id)?.id ?? '';
      expect((await shop.user.delete(`/users/me/grants/${grant}`)).status).toBe(204);
      expect(await statuses(secrets, flow.oauth)).toEqual([401, 401, 401]);
      pass(5000);
      expect(await statuses(secrets, there)).toEqual([401, 401, 401]);
      expect(await statuses(kept, flow.oauth)).toEqual([200, 200]);
      expect((await endedWith(grant)).reverse()).toEqual(made.map(({ id }) => id));
      expect(((await shop.user.get('/api-keys?page=1')).json() as Page).total).toBe(2);
      // A new approval restores none of them.
      await approve(username, shop.client);
      expect(await statuses(secrets, flow.oauth)).toEqual([401, 401, 401]);
    });
  });

  it('end with the client, and with the user', async () => {
    await withMovableClock(async (pass) => {
      const [shop, username] = [await approve(await newUser()), await newUser()];
      const again = await approve(username, shop.client);
      const made = [await make(shop.app), await make(again.app)];
      expect(await Promise.all(made.map(({ key }) => status(key, there)))).toEqual([200, 200]);
      // End the tokens of one of the approvals.
      await formOf(
        flow.oauth.baseUrl,
        '/oauth/revoke',
        { token: again.tokens.refresh_token },
        flow.for(shop.client).basic(),
      );
      expect((await flow.oauth.admin.delete(`/clients/${shop.client.client_id}`)).status).toBe(204);
      expect(await Promise.all(made.map(({ key }) => status(key)))).toEqual([401, 401]);
      pass(5000);
      expect(await Promise.all(made.map(({ key }) => status(key, there)))).toEqual([401, 401]);
      const told = await endedWith(shop.client.client_id);
      expect([...told].sort()).toEqual(made.map(({ id }) => id).sort());
      expect(((await again.user.get('/users/me/grants?page=1')).json() as { total: number }).total).toBe(0);
      const gone = await approve(username);
      const { key } = await make(gone.app);
      const me = ((await gone.user.get('/users/me')).json() as { id: string }).id;
      expect((await flow.oauth.admin.delete(`/users/${me}`)).status).toBe(204);
      expect(await status(key)).toBe(401);
      const left = await under.database.query('SELECT id FROM grants WHERE user_id = $1', [me]);
      expect(left).toEqual([]);
    });
  });

  it('do not end with a token: the approval stays while it has a key, and its user can withdraw it', async () => {
    const shop = await approve(await newUser());
    const { id, key } = await make(shop.app);
    const proof = flow.for(shop.client).basic();
    const revoked = await formOf(flow.oauth.baseUrl, '/oauth/revoke', { token: shop.tokens.refresh_token }, proof);
    expect(revoked.status).toBe(200);
    expect((await shop.app.get('/items')).status).toBe(401);
    expect(await status(key)).toBe(200);
    const grant = await grantOf(shop.user);
    expect(grant).not.toBe('');
    expect((await shop.user.delete(`/users/me/grants/${grant}`)).status).toBe(204);
    expect(await status(key)).toBe(401);
    expect(await endedWith(grant)).toEqual([id]);
    // Without a key, the approval ends with its last token.
    const other = await approve(await newUser());
    await formOf(
      flow.oauth.baseUrl,
      '/oauth/revoke',
      { token: other.tokens.refresh_token },
      flow.for(other.client).basic(),
    );
    expect(await grantOf(other.user)).toBe('');
  });

  it('cannot be created while the approval is withdrawn: none of many concurrent creations is left', async () => {
    const shop = await approve(await newUser());
    const elsewhere = there.bearer(shop.tokens.access_token);
    expect((await elsewhere.get('/items')).status).toBe(200);
    const grant = await grantOf(shop.user);
    const racers = Array.from({ length: 48 }, (_, n) =>
      (n % 2 === 0 ? shop.app : elsewhere).post('/api-keys', { name: 'x', scopes: ['items:read'] }),
    );
    const withdrawal = shop.user.delete(`/users/me/grants/${grant}`);
    const more = Array.from({ length: 16 }, () => elsewhere.post('/api-keys', { name: 'x', scopes: ['items:read'] }));
    const answers = await Promise.all([...racers, ...more]);
    expect((await withdrawal).status).toBe(204);
    // 409: an application may have 10 keys of a user.
    expect(answers.filter(({ status }) => ![201, 401, 409].includes(status))).toEqual([]);
    const made = answers
      .filter((answer) => answer.status === 201)
      .map((answer) => (answer.json() as CreatedApiKey).key);
    expect(new Set(await Promise.all(made.map((key) => status(key))))).toEqual(new Set(made.length > 0 ? [401] : []));
    expect(((await shop.user.get('/api-keys?page=1')).json() as Page).total).toBe(0);
    // The other instance has still cached the token.
    const late = await elsewhere.post('/api-keys', { name: 'x', scopes: ['items:read'] });
    expect(late.status).toBe(401);
  });

  it('have no more rights than the application', async () => {
    const shop = await approve(await newUser());
    const { key } = await make(shop.app, { scopes: ['items:read', 'items:write'] });
    const client = flow.oauth.key(key);
    expect((await client.post('/items', { name: 'Lamp' })).status).toBe(201);
    const narrowed = { name: 'Shop', scopes: ['items:read'] };
    expect((await flow.oauth.admin.put(`/clients/${shop.client.client_id}`, narrowed)).status).toBe(200);
    expect(refusal(await client.post('/items', { name: 'Lamp' }))).toEqual([403, 'insufficient_scope']);
    expect(await status(key)).toBe(200);
  });
});
