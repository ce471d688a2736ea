import { creatorRights } from './creator-rights.js';
import type { CreatorRights } from '../definition/creator-reach.js';
import type { TrustedIssuer } from '../../runtime/issuers/trusted-issuer.js';
import type { Database } from '../../data/database/database.js';
import type { CreatedClient } from '@items/dtos/contract';
import type { HttpClient } from '@items/testing';

import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { permissions, readers } from '../../service/testing/fixture.testing.js';
import { formOf, startOauth, type OauthUnderTest } from '../../access/oauth/testing/oauth.testing.js';
import { startTestIssuer, type TestIssuer } from '../../access/oauth/testing/outside-issuer.testing.js';

const ADMIN_SCOPES = ['users:write', 'clients:manage', 'webhooks:manage', 'audit:read'];
const HOOK = { url: 'https://hooks.example.com/', events: ['*'] };
const MACHINE = { name: 'Cron', scopes: ['clients:manage'], redirect_uris: [], grant_types: ['client_credentials'] };

type Made = { readonly id: string };

describeOnBothDatabases('Tokens of an outside issuer and the scopes of administrators (§5.5)', (under) => {
  let plain: TestIssuer;
  let mapping: TestIssuer;
  let oauth: OauthUnderTest;
  let trusted: readonly TrustedIssuer[];

  const settings = (): object[] => [
    { issuer: plain.url, audience: 'items', jwks_uri: plain.url },
    {
      issuer: mapping.url,
      audience: 'items',
      jwks_uri: mapping.url,
      scope_map: { boss: [...ADMIN_SCOPES, 'items:read', 'keys:manage'] },
    },
  ];
  const start = (...issuers: object[]): Promise<OauthUnderTest> =>
    startOauth(under.config, { OAUTH_ISSUERS: JSON.stringify(issuers) });

  beforeAll(async () => {
    [plain, mapping] = await Promise.all([startTestIssuer(), startTestIssuer()]);
    oauth = await start(...settings());
    trusted = [plain, mapping].map(({ url }) => ({ issuer: url, audience: ['items'] }));
  });
  afterAll(async () => {
    await oauth.close();
    plain.close();
    mapping.close();
  });

  const asPlain = async (scope: string, sub = 'nobody'): Promise<HttpClient> =>
    oauth.bearer(await plain.token({ sub, scope }));
  const asBoss = async (sub = 'nobody'): Promise<HttpClient> =>
    oauth.bearer(await mapping.token({ sub, scope: 'boss' }));
  const statuses = async (caller: HttpClient): Promise<number[]> => {
    const answers = [
      await caller.post('/users', { username: 'x', password: 'correct horse battery' }),
      await caller.post('/clients', MACHINE),
      await caller.post('/webhooks', HOOK),
      await caller.get('/audit-events'),
    ];
    return answers.map(({ status }) => status);
  };
  /** @param creator replaces the stored creator. */
  const rightsOf = async (
    id: string,
    issuers: readonly TrustedIssuer[],
    creator?: object,
  ): Promise<CreatorRights | undefined> => {
    const query = async (sql: string): Promise<object[]> =>
      (await under.database.query<object>(sql)).map((row) => ({
        ...row,
        ...(creator !== undefined && { maker: JSON.stringify(creator) }),
      }));
    const database = { query } as unknown as Database;
    return (await creatorRights(database, permissions, readers.visibilityOf.bind(readers), issuers)).get(id);
  };

  it('a token that is linked to an administrator gets none of them, for any scope_map', async () => {
    const admin = await oauth.addUser({ username: 'ada', role: 'admin' });
    for (const { url } of [plain, mapping]) {
      const identity = { issuer: url, subject: 'ada' };
      expect((await oauth.admin.put(`/users/${admin}/identity`, identity)).status).toBe(200);
      const token =
        url === plain.url ? await asPlain([...ADMIN_SCOPES, 'items:read'].join(' '), 'ada') : await asBoss('ada');
      expect(await statuses(token)).toEqual([403, 403, 403, 403]);
      expect((await token.get('/items')).status).toBe(200);
      expect((await oauth.admin.delete(`/users/${admin}/identity`)).status).toBe(204);
    }
  });

  it('a token without a linked user gets them by scope_map alone', async () => {
    const token = await asPlain([...ADMIN_SCOPES, 'items:read'].join(' '));
    expect(await statuses(token)).toEqual([403, 403, 403, 403]);
    expect((await token.get('/items')).status).toBe(200);
    expect((await (await asBoss()).get('/audit-events')).status).toBe(200);
  });

  it.each(['a\0b', '\ud800', 'x'.repeat(256)])('a token with the subject %j acts for no user', async (sub) => {
    const token = await asBoss(sub);
    expect((await token.get('/items')).status).toBe(200);
    expect((await token.get('/users/me')).status).toBe(403);
  });

  it('makes no API key: the key would outlive the issuer', async () => {
    for (const token of [await asBoss(), await asPlain('keys:manage items:read')]) {
      expect((await token.post('/api-keys', { name: 'x', scopes: ['items:read'] })).status).toBe(403);
    }
  });

  it('a webhook of it is sent nothing while the issuer is not configured', async () => {
    const made = (await (await asBoss()).post('/webhooks', HOOK)).json() as Made;
    expect(await rightsOf(made.id, trusted)).toMatchObject({ all: expect.arrayContaining(['item.created']) });
    expect(await rightsOf(made.id, trusted.slice(0, 1))).toBe('silent');
    expect(await rightsOf(made.id, [])).toBe('silent');
    await oauth.admin.delete(`/webhooks/${made.id}`);
  });

  it('a webhook that a linked token made before this rule is sent nothing; those of administrators and keys continue', async () => {
    const admin = await oauth.addUser({ username: 'old', role: 'admin' });
    const webhook = (await oauth.basic('old').post('/webhooks', HOOK)).json() as Made;
    const creator = { scopes: ['items:read', 'webhooks:manage'], is_admin: false };
    expect(await rightsOf(webhook.id, trusted, creator)).toBe('silent');
    expect(await rightsOf(webhook.id, trusted, { ...creator, is_admin: true })).toMatchObject({ userId: admin });
    expect(await rightsOf(webhook.id, trusted)).toMatchObject({ userId: admin });
    await oauth.admin.delete(`/webhooks/${webhook.id}`);
  });

  it('a client of it, and a client that this client made, have no rights while the issuer is not configured', async () => {
    const first = (await (await asBoss()).post('/clients', MACHINE)).json() as Required<CreatedClient>;
    const tokenOf = ({ client_id, client_secret }: Required<CreatedClient>, at = oauth): Promise<Response> =>
      formOf(at.baseUrl, '/oauth/token', { grant_type: 'client_credentials', client_id, client_secret });
    const accessOf = async (client: Required<CreatedClient>): Promise<string> =>
      ((await (await tokenOf(client)).json()) as { access_token: string }).access_token;
    const firstToken = await accessOf(first);
    const second = (await oauth.bearer(firstToken).post('/clients', MACHINE)).json() as Required<CreatedClient>;
    const secondToken = await accessOf(second);
    const without = await start(settings()[0] ?? {});
    try {
      for (const client of [first, second]) expect((await tokenOf(client, without)).status).toBe(401);
      for (const token of [firstToken, secondToken]) {
        expect((await without.bearer(token).get('/clients')).status).toBe(401);
        expect((await oauth.bearer(token).get('/clients')).status).toBe(200);
      }
    } finally {
      await without.close();
    }
  });
});
