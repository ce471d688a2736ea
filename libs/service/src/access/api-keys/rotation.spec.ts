import { type Header, type HttpClient, withMovableClock } from '@items/testing';

import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { refusal, startService, type ServiceUnderTest } from '../../service/testing/start-fixture.testing.js';
import { LastUseWriter } from './last-use-writer.js';

interface Key {
  readonly id: string;
  readonly key: string;
  readonly secrets: readonly { readonly expires_at: string | null; readonly last_used_at: string | null }[];
}

describeOnBothDatabases('Rotation of API keys', (under) => {
  let running: ServiceUnderTest;
  let admin: HttpClient;
  const withKey = (key: string): HttpClient => admin.withOptions({ headers: [['X-API-Key', key]] });
  const status = async ({ key }: Key): Promise<number> => (await withKey(key).get('/items')).status;
  const create = async (input: object = {}): Promise<Key> =>
    (await admin.post('/api-keys', { name: 'x', scopes: ['items:read'], ...input })).json() as Key;
  const rotate = async ({ id }: Key, body: object = {}): Promise<Key> => {
    const answer = await admin.post(`/api-keys/${id}/rotations`, body);
    expect([answer.status, answer.header('location')]).toEqual([201, `/api-keys/${id}`]);
    return answer.json() as Key;
  };

  beforeAll(async () => {
    running = await startService(under.config);
    ({ admin } = running);
  });
  afterAll(() => running.service.app.close());

  it('returns 201 with a new secret; the old one works until its grace period ends, by default a day', async () => {
    const first = await create();
    const second = await rotate(first);
    expect(second.key).not.toBe(first.key);
    expect([await status(first), await status(second)]).toEqual([200, 200]);
    const [current, former] = second.secrets;
    expect(current?.expires_at).toBeNull();
    expect((Date.parse(former?.expires_at ?? '') - Date.now()) / 1000).toBeCloseTo(86_400, -1);
    const { key: _key, ...shown } = second;
    expect((await admin.get(`/api-keys/${first.id}`)).json()).toEqual(shown);
  });

  it('a grace period of 0 ends the old secret immediately, one of 1 after a second', async () => {
    const first = await create();
    const second = await rotate(first, { grace_seconds: 0 });
    expect([await status(first), await status(second), second.secrets.length]).toEqual([401, 200, 1]);
    await withMovableClock(async (pass) => {
      const third = await rotate(second, { grace_seconds: 1 });
      pass(999);
      expect([await status(second), await status(third)]).toEqual([200, 200]);
      pass(1);
      expect([await status(second), await status(third)]).toEqual([401, 200]);
      expect(((await admin.get(`/api-keys/${first.id}`)).json() as Key).secrets).toHaveLength(1);
    });
  });

  it('shows no secret to a caller with fewer rights than the key: 403, and the key is unchanged', async () => {
    const broad = await create({ scopes: ['items:read', 'items:write'] });
    const manager = withKey((await create({ scopes: ['keys:manage', 'items:read'] })).key);
    const answer = await manager.post(`/api-keys/${broad.id}/rotations`, {});
    expect(refusal(answer)).toEqual([403, 'scope_escalation']);
    expect(((await admin.get(`/api-keys/${broad.id}`)).json() as Key).secrets).toHaveLength(1);
  });

  it('at most two secrets are valid: another rotation ends the earlier grace period, even if 8 race', async () => {
    const first = await create();
    const second = await rotate(first);
    const third = await rotate(second);
    expect([await status(first), await status(second), await status(third)]).toEqual([401, 200, 200]);
    expect(third.secrets.map(({ expires_at: end }) => end === null)).toEqual([true, false]);
    const racing = await Promise.all(Array.from({ length: 8 }, () => rotate(first)));
    const alive = await Promise.all([first, second, third, ...racing].map(status));
    expect(alive.filter((code) => code === 200)).toHaveLength(2);
  });

  it('the grace period of the second secret begins with the third, and one of 0 ends all but the newest', async () => {
    const first = await create();
    const second = await rotate(first);
    const third = await rotate(second, { grace_seconds: 60 });
    const end = Date.parse(third.secrets[1]?.expires_at ?? '');
    expect((end - Date.now()) / 1000).toBeCloseTo(60, -1);
    const fourth = await rotate(third, { grace_seconds: 0 });
    expect(await Promise.all([first, second, third, fourth].map(status))).toEqual([401, 401, 401, 200]);
    expect(fourth.secrets).toHaveLength(1);
  });

  it('the key shows when each secret was last used', async () => {
    const first = await create();
    const second = await rotate(first);
    await status(first);
    await running.service.app.get(LastUseWriter).runNow();
    const shown = (await admin.get(`/api-keys/${first.id}`)).json() as Key;
    expect(shown.secrets.map(({ last_used_at: used }) => used === null)).toEqual([true, false]);
    await status(second);
    await running.service.app.get(LastUseWriter).runNow();
    const later = (await admin.get(`/api-keys/${first.id}`)).json() as Key;
    expect(later.secrets.map(({ last_used_at: used }) => used === null)).toEqual([false, false]);
  });

  it('a secret is never replayed: 409 with Location; a bad grace is 422, an unknown key 404', async () => {
    const { id } = await create();
    const once = ['Idempotency-Key', 'rotate-once'] as const;
    expect((await admin.post(`/api-keys/${id}/rotations`, {}, once)).status).toBe(201);
    const repeated = await admin.post(`/api-keys/${id}/rotations`, {}, once);
    expect([...refusal(repeated), repeated.header('location')]).toEqual([
      409,
      'secret_not_replayable',
      `/api-keys/${id}`,
    ]);
    for (const grace of [-1, 604_801, 1.5, '60', null]) {
      const answer = await admin.post(`/api-keys/${id}/rotations`, { grace_seconds: grace });
      expect([grace, ...refusal(answer)]).toEqual([grace, 422, 'validation_failed']);
    }
    expect(refusal(await admin.post('/api-keys/unknown/rotations', {}))).toEqual([404, 'api_key_not_found']);
  });

  it('{} means all defaults; an empty body is 400, and the secret stays', async () => {
    const first = await create();
    const path = `/api-keys/${first.id}/rotations`;
    const typed = [['Content-Type', 'application/json']] as const;
    const none = { headers: [['Content-Length', '0']] } as const;
    for (const options of [none, { headers: typed, body: '' }, { headers: typed, body: ' ' }]) {
      expect(refusal(await admin.send('POST', path, options))).toEqual([400, 'malformed_body']);
    }
    expect(((await admin.get(`/api-keys/${first.id}`)).json() as Key).secrets).toHaveLength(1);
    await rotate(first, {});
  });

  it('the keys of a user are listed and managed by that user and by admins only: 403 for others', async () => {
    const own = await running.addUser({ username: 'owner', role: 'member' });
    await running.addUser({ username: 'stranger', role: 'member' });
    const [owner, stranger] = [running.basic('owner'), running.basic('stranger')];
    const made = (await owner.post('/api-keys', { name: 'mine', scopes: ['items:read'] })).json() as Key;
    expect(made).toMatchObject({ user_id: own });
    const page = (await owner.get('/api-keys')).json() as { api_keys: Key[]; total: number };
    expect([page.total, page.api_keys.map(({ id }) => id)]).toEqual([1, [made.id]]);
    expect((await stranger.get('/api-keys')).json()).toMatchObject({ total: 0, api_keys: [] });
    const walk = (await owner.get('/api-keys?limit=1')).json() as { api_keys: Key[]; next_cursor?: string };
    expect([walk.api_keys.length, walk.next_cursor]).toEqual([1, undefined]);
    const version: Header = ['Api-Version', '1999-01-01'];
    expect(refusal(await owner.get(`/api-keys/${made.id}`, version))).toEqual([400, 'unsupported_api_version']);
    for (const path of [`/api-keys/${made.id}`, '/api-keys/unknown']) {
      expect(refusal(await stranger.get(path))).toEqual([403, 'not_owner']);
      expect(refusal(await stranger.get(path, version))).toEqual([403, 'not_owner']);
      expect(refusal(await stranger.put(path, []))).toEqual([403, 'not_owner']);
      expect(refusal(await stranger.delete(path))).toEqual([403, 'not_owner']);
      expect(refusal(await stranger.post(`${path}/rotations`, []))).toEqual([403, 'not_owner']);
    }
    expect((await owner.put(`/api-keys/${made.id}`, { name: 'ours' })).status).toBe(200);
    expect((await owner.post(`/api-keys/${made.id}/rotations`, {})).status).toBe(201);
    expect((await admin.get(`/api-keys/${made.id}`)).status).toBe(200);
    expect((await owner.post('/api-keys', { name: 'x', scopes: ['users:write'] })).status).toBe(403);
    expect((await owner.delete(`/api-keys/${made.id}`)).status).toBe(204);
  });

  it('a key in client-side code may only read: 422', async () => {
    const page = ['https://app.example.com'];
    const answer = await admin.post('/api-keys', {
      name: 'x',
      scopes: ['items:read', 'items:write'],
      allowed_origins: page,
    });
    expect(refusal(answer)).toEqual([422, 'validation_failed']);
    const { id } = await create({ allowed_origins: page });
    const write = { name: 'x', scopes: ['items:write'], allowed_origins: page };
    expect(refusal(await admin.put(`/api-keys/${id}`, write))).toEqual([422, 'validation_failed']);
    for (const origin of [
      'https://App.example.com',
      'https://a.example/',
      'https://a.example:443',
      'a.example',
      '*',
      'null',
    ]) {
      const bad = await admin.post('/api-keys', { name: 'x', scopes: [], allowed_origins: [origin] });
      expect([origin, ...refusal(bad)]).toEqual([origin, 422, 'validation_failed']);
    }
  });

  it('its origins are allowed by CORS, also in a preflight, and another origin is 403', async () => {
    const origin = 'https://shop.example.com';
    const preflight = (from: string) =>
      admin.withOptions({ headers: [] }).send('OPTIONS', '/items', {
        headers: [
          ['Origin', from],
          ['Access-Control-Request-Method', 'GET'],
        ],
      });
    expect((await preflight(origin)).header('access-control-allow-origin')).toBeUndefined();
    const made = await create({ allowed_origins: [origin] });
    const allowed = await preflight(origin);
    expect(allowed.header('access-control-allow-origin')).toBe(origin);
    expect(allowed.header('access-control-allow-headers')).toContain('X-API-Key');
    const client = withKey(made.key);
    const used = await client.get('/items', ['Origin', origin]);
    expect([used.status, used.header('access-control-allow-origin')]).toEqual([200, origin]);
    const other = await client.get('/items', ['Origin', 'https://evil.example']);
    expect([...refusal(other), other.header('access-control-allow-origin')]).toEqual([
      403,
      'origin_not_allowed',
      undefined,
    ]);
    expect((await client.get('/items')).status).toBe(200);
    await admin.delete(`/api-keys/${made.id}`);
    expect((await preflight(origin)).header('access-control-allow-origin')).toBeUndefined();
  });
});
