import type { Client, CreatedClient } from '@items/dtos/contract';
import type { ErrorBody } from '@items/conventions';
import { HttpClient } from '@items/testing';

import { describeOnBothDatabases } from '../../../service/testing/fixture-database.testing.js';
import { formOf, startOauth, type OauthUnderTest } from '../testing/oauth.testing.js';

const INPUT = { name: 'Web shop', redirect_uris: ['https://shop.example/callback'], scopes: ['items:read'] };

describeOnBothDatabases('Clients (§5 OAuth 2.0)', (under) => {
  let oauth: OauthUnderTest;
  let admin: HttpClient;

  beforeAll(async () => {
    oauth = await startOauth(under.config);
    ({ admin } = oauth);
  });
  afterAll(() => oauth.close());

  const register = async (changes: object = {}): Promise<Required<CreatedClient>> => {
    const answer = await admin.post('/clients', { ...INPUT, ...changes });
    expect(answer.status).toBe(201);
    return answer.json() as Required<CreatedClient>;
  };

  it('POST /clients returns 201 with client_id and, once, client_secret', async () => {
    const answer = await admin.post('/clients', INPUT);
    const client = answer.json() as Required<CreatedClient>;
    expect([answer.status, answer.header('location')]).toEqual([201, `/clients/${client.id}`]);
    expect(client).toEqual({
      id: expect.any(String),
      client_id: client.id,
      client_secret: expect.stringMatching(/^ics_[\w-]{43}$/),
      ...INPUT,
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_basic',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const { client_secret: _secret, ...shown } = client;
    expect((await admin.get(`/clients/${client.id}`)).json()).toEqual(shown);
    const { clients } = (await admin.get('/clients?sort=-created_at&limit=1')).json() as { clients: Client[] };
    expect(clients).toEqual([shown]);
  });

  it('a repetition of a creation or a rotation is 409 secret_not_replayable with Location', async () => {
    const { id } = await register();
    for (const [path, body] of [
      ['/clients', INPUT],
      [`/clients/${id}/rotations`, {}],
    ] as const) {
      const client = admin.withHeaders(['Idempotency-Key', 'once']);
      const [first, second] = [await client.post(path, body), await client.post(path, body)];
      expect([first.status, second.status]).toEqual([201, 409]);
      expect(second.json()).toMatchObject({ code: 'secret_not_replayable' });
      expect(second.header('location')).toBe(first.header('location') ?? 'a place');
    }
  });

  it('a caller with fewer rights than the client gets no secret: 403, and the secret is unchanged', async () => {
    const { id } = await register();
    const { key } = (
      await admin.post('/api-keys', { name: 'narrow', scopes: ['clients:manage', 'keys:manage'] })
    ).json() as { key: string };
    const narrow = admin.withOptions({ headers: [['X-API-Key', key]] });
    const answer = await narrow.post(`/clients/${id}/rotations`, {});
    expect([answer.status, (answer.json() as ErrorBody).code]).toEqual([403, 'scope_escalation']);
  });

  it('PUT replaces name and redirect_uris; omitted scopes, redirect_uris and grant_types stay as they are', async () => {
    const { id } = await register({ grant_types: ['authorization_code'] });
    const changes = { name: 'Shop', redirect_uris: ['http://127.0.0.1:8080/back', 'http://localhost/'] };
    const answer = await admin.put(`/clients/${id}`, changes);
    expect(answer.status).toBe(200);
    const kept = { scopes: INPUT.scopes, grant_types: ['authorization_code'] };
    expect(answer.json()).toMatchObject({ ...changes, ...kept });
    const renamed = await admin.put(`/clients/${id}`, { name: 'Other' });
    expect(renamed.json()).toMatchObject({ name: 'Other', redirect_uris: changes.redirect_uris, ...kept });
  });

  it.each([
    ['http://shop.example/callback'],
    ['https://shop.example/callback#fragment'],
    ['https://*.shop.example/callback'],
    ['https://user@shop.example/callback'],
    ['https://SHOP.example/callback'],
    ['https://shop.example\\evil.example/'],
    ['https://shop.example/call back'],
    ['http://127.0.0.1.evil.example/'],
    ['http://localhost@evil.example/'],
    ['javascript:alert(1)'],
    ['com.example.app:/callback'],
    ['//shop.example/callback'],
    ['shop'],
    [''],
    ['https://256.1.1.1/cb'],
    ['https://0x7f.1/cb'],
    ['https://a.example:99999/cb'],
    ['https://a.example:0/cb'],
    ['https://[213]'],
    ['https://a..example/cb'],
  ])('the redirect_uri %j is 422', async (uri) => {
    const answer = await admin.post('/clients', { ...INPUT, redirect_uris: [uri] });
    expect(answer.status).toBe(422);
    expect(answer.json()).toMatchObject({ details: [{ field: 'redirect_uris', code: 'not_allowed' }] });
  });

  it.each([
    ['https://SHOP.example/cb', 'https://shop.example/cb'],
    ['HTTPS://shop.example/cb', 'https://shop.example/cb'],
    ['http://LOCALHOST:8080/cb', 'http://localhost:8080/cb'],
    ['https://bücher.example/cb', 'https://xn--bcher-kva.example/cb'],
    ['https://shop.example/ä b', 'https://shop.example/%C3%A4%20b'],
    ['https://0x7f.1/cb', 'https://127.0.0.1/cb'],
    ['https://2130706433/cb', 'https://127.0.0.1/cb'],
  ])('the 422 for %j shows its canonical form', async (uri, canonical) => {
    const answer = await admin.post('/clients', { ...INPUT, redirect_uris: [INPUT.redirect_uris[0], uri] });
    const { details } = answer.json() as { details: { message: string }[] };
    expect([answer.status, details.map(({ message }) => message)]).toEqual([
      422,
      [`"redirect_uris" must hold only addresses in canonical form: write "${canonical}" instead of "${uri}".`],
    ]);
    const accepted = await admin.post('/clients', { ...INPUT, redirect_uris: [canonical] });
    expect(accepted.status).toBe(201);
  });

  it.each([
    ['http://shop.example/cb', 'https addresses without a fragment'],
    ['https://shop.example/cb#x', 'https addresses without a fragment'],
    ['https://256.1.1.1/cb', 'an invalid host or port'],
    ['https://a.example:0/cb', 'an invalid host or port'],
  ])('the 422 for %j names another reason', async (uri, reason) => {
    const answer = await admin.post('/clients', { ...INPUT, redirect_uris: [uri] });
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(reason)]);
  });

  it('a client that uses codes needs a redirect URI: 422, at creation and later', async () => {
    const refused = { status: 422, field: 'redirect_uris' };
    const created = await admin.post('/clients', { ...INPUT, redirect_uris: [] });
    expect([created.status, created.json()]).toEqual([422, expect.objectContaining({ code: 'validation_failed' })]);
    const { id } = await register();
    const replaced = await admin.put(`/clients/${id}`, { name: 'x', redirect_uris: [] });
    expect([replaced.status, (replaced.json() as { details: object[] }).details]).toEqual([
      refused.status,
      [expect.objectContaining({ field: refused.field, code: 'too_few' })],
    ]);
    expect((await admin.get(`/clients/${id}`)).json()).toMatchObject({ name: INPUT.name });
  });

  it('a caller cannot register a client with more rights than its own: 403', async () => {
    const key = (
      (await admin.post('/api-keys', { name: 'k', scopes: ['clients:manage', 'items:read'] })).json() as { key: string }
    ).key;
    const manager = new HttpClient({ baseUrl: oauth.baseUrl, headers: [['X-API-Key', key]] });
    const more = { ...INPUT, scopes: ['items:read', 'users:write'] };
    expect((await manager.post('/clients', more)).status).toBe(403);
    const { id } = await register();
    expect((await manager.put(`/clients/${id}`, more)).status).toBe(403);
    expect((await manager.put(`/clients/${id}`, INPUT)).status).toBe(200);
    const strong = await register({ scopes: ['users:write'] });
    const elsewhere = { name: 'x', redirect_uris: ['https://evil.example/'] };
    for (const condition of [[], [['If-Match', '"stale"']]] as const) {
      const refused = await manager.put(`/clients/${strong.id}`, elsewhere, ...condition);
      expect([refused.status, (refused.json() as ErrorBody).code]).toEqual([403, 'scope_escalation']);
    }
    expect((await admin.get(`/clients/${strong.id}`)).json()).toMatchObject({ redirect_uris: INPUT.redirect_uris });
  });

  it('a client with an invalid URI from before the validation still works', async () => {
    const { id, client_id, client_secret } = await register();
    const bad = JSON.stringify(['https://256.1.1.1/cb', 'https://a.example:99999/cb']);
    await oauth.database.transaction((tx) =>
      tx.query('UPDATE clients SET redirect_uris = $2, seq = seq + 1 WHERE id = $1', [id, bad]),
    );
    const asks = (path: string, fields: object): Promise<Response> =>
      formOf(oauth.baseUrl, path, { client_id, client_secret, token: 'x'.repeat(43), ...fields });
    expect((await asks('/oauth/revoke', {})).status).toBe(200);
    expect((await asks('/oauth/introspect', {})).status).toBe(200);
    const refresh = await asks('/oauth/token', { grant_type: 'refresh_token', refresh_token: 'x'.repeat(43) });
    expect([refresh.status, await refresh.json()]).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })]);
    expect((await admin.put(`/clients/${id}`, { name: 'still here' })).status).toBe(200);
    expect((await admin.delete(`/clients/${id}`)).status).toBe(204);
  });

  it('DELETE is 204, then 404; If-Match is honoured', async () => {
    const { id } = await register();
    expect((await admin.delete(`/clients/${id}`, ['If-Match', '"other"'])).status).toBe(412);
    expect((await admin.delete(`/clients/${id}`)).status).toBe(204);
    expect((await admin.get(`/clients/${id}`)).status).toBe(404);
    expect((await admin.post(`/clients/${id}/rotations`, {})).status).toBe(404);
  });
});
