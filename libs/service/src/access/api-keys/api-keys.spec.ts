import { NotOwnerError } from '@items/conventions';
import { logTo } from '../../runtime/logging/log.js';
import type { ListRequest } from '@items/paging';
import { HttpClient, type Answer, type Header } from '@items/testing';

import type { Principal } from '../principal/principal.js';
import { createService, type Service } from '../../service/testing/fixture.testing.js';
import type { Config } from '../../runtime/config/config.js';
import { loadConfig } from '../../runtime/config/load-config.js';
import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { ApiKeysService } from './api-keys.service.js';
import { LastUseWriter } from './last-use-writer.js';

const ADMIN: Header = ['X-API-Key', 'a'.repeat(32)];

interface Shown {
  readonly [field: string]: unknown;
  readonly id: string;
  readonly key: string;
  readonly updated_at: string;
  readonly last_used_at: string | null;
}

function shown(answer: Answer): Shown {
  return answer.json() as Shown;
}

function error(answer: Answer): unknown[] {
  return [answer.status, (answer.json() as { code: string }).code];
}

describeOnBothDatabases('API keys', (under) => {
  let service: Service;
  let admin: HttpClient;
  const withKey = (key: string) => admin.withOptions({ headers: [['X-API-Key', key]] });

  beforeAll(async () => {
    const config: Config = { ...loadConfig({ ADMIN_API_KEY: ADMIN[1] }), database: under.config };
    service = await createService(config, logTo({ write: () => undefined }));
    await service.app.listen(0, '127.0.0.1');
    admin = new HttpClient({ baseUrl: await service.app.getUrl(), headers: [ADMIN] });
  });
  afterAll(() => service.app.close());

  const create = async (input: object = {}, from = admin): Promise<Shown> => {
    const answer = await from.post('/api-keys', { name: 'probe', scopes: ['items:read'], ...input });
    expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
    return shown(answer);
  };

  it('POST /api-keys returns 201 with the secret, which is shown only there', async () => {
    const rateLimit = { requests: 5, seconds: 60 };
    const answer = await admin.post('/api-keys', {
      name: ' Web shop ',
      scopes: ['items:write', 'items:read'],
      expires_at: '2099-01-01T01:00:00+01:00',
      rate_limit: rateLimit,
    });
    const { id, key, ...rest } = shown(answer);
    expect(answer.status).toBe(201);
    expect(answer.header('Location')).toBe(`/api-keys/${id}`);
    expect(key).toMatch(/^itk_[0-9A-Za-z]{49}$/);
    expect(rest).toEqual({
      name: 'Web shop',
      scopes: ['items:write', 'items:read'],
      expires_at: '2099-01-01T00:00:00.000Z',
      rate_limit: rateLimit,
      allowed_origins: null,
      user_id: null,
      client_id: null,
      secrets: [{ created_at: expect.any(String), expires_at: null, last_used_at: null }],
      last_used_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const got = await admin.get(`/api-keys/${id}`);
    expect(got.json()).toEqual({ id, ...rest });
    expect(got.header('ETag')).toBe(answer.header('ETag'));
    expect((await admin.get('/api-keys')).text).not.toContain(key);
    const use = await withKey(key).get('/items');
    expect([use.status, use.header('X-RateLimit-Limit')]).toEqual([200, '5']);
  });

  it('no secret is stored, only its SHA-256', async () => {
    const { key } = await create();
    for (const table of ['api_keys', 'api_key_secrets', 'settings', 'idempotency_records']) {
      const rows = JSON.stringify(await under.database.query(`SELECT * FROM ${table}`));
      expect(rows).not.toContain(key);
      expect(rows).not.toContain(key.slice(4, 20));
    }
  });

  it('a key is created with its scopes, a name, and an expiry in the future, else 422', async () => {
    const bad = [
      { scopes: ['items:read'] },
      { name: 'x' },
      { name: 'x', scopes: null },
      { name: 'x', scopes: ['items:fly'] },
      { name: 'x', scopes: ['items:read'], expires_at: '2020-01-01T00:00:00Z' },
      { name: 'x', scopes: ['items:read'], expires_at: 'tomorrow' },
      { name: 'x', scopes: ['items:read'], rate_limit: { requests: 0, seconds: 1 } },
      { name: 'x', scopes: ['items:read'], owner: 'me' },
    ];
    for (const input of bad) {
      const answer = await admin.post('/api-keys', input);
      expect([input, ...error(answer)]).toEqual([input, 422, 'validation_failed']);
    }
  });

  it('a new credential can never hold more than its creator: 403', async () => {
    const manager = withKey((await create({ scopes: ['keys:manage', 'items:read'] })).key);
    const refused = await manager.post('/api-keys', { name: 'x', scopes: ['items:read', 'items:write'] });
    expect(error(refused)).toEqual([403, 'scope_escalation']);
    const { id } = await create({}, manager);
    const grown = { name: 'x', scopes: ['items:write'] };
    expect(error(await manager.put(`/api-keys/${id}`, grown))).toEqual([403, 'scope_escalation']);
    expect(error(await manager.put('/api-keys/unknown', grown))).toEqual([403, 'scope_escalation']);
    expect((await admin.put(`/api-keys/${id}`, grown)).status).toBe(200);
  });

  it('keys are managed only with keys:manage: 403 without, whether or not the id exists', async () => {
    const { id, key } = await create({ scopes: ['items:read', 'items:write'] });
    const other = withKey(key);
    const answers = [
      await other.get('/api-keys'),
      await other.post('/api-keys', {}),
      await other.get(`/api-keys/${id}`),
      await other.get('/api-keys/unknown'),
      await other.put(`/api-keys/${id}`, {}),
      await other.delete(`/api-keys/${id}`),
    ];
    for (const answer of answers) expect(error(answer)).toEqual([403, 'insufficient_scope']);
  });

  it('a change by PUT takes effect immediately', async () => {
    const made = await create({ rate_limit: { requests: 5, seconds: 60 } });
    const client = withKey(made.key);
    expect((await client.get('/items')).header('X-RateLimit-Limit')).toBe('5');
    await admin.put(`/api-keys/${made.id}`, { name: 'renamed', rate_limit: null });
    expect((await client.get('/items')).header('X-RateLimit-Limit')).toBe('600');
    await admin.put(`/api-keys/${made.id}`, { name: 'renamed', scopes: [] });
    expect((await client.get('/items')).status).toBe(403);
  });

  it('PUT keeps omitted fields, and null clears nullable ones', async () => {
    const settings = {
      expires_at: '2099-01-01T00:00:00.000Z',
      rate_limit: { requests: 5, seconds: 60 },
      allowed_origins: ['https://shop.example'],
    };
    const { id } = await create(settings);
    const renamed = await admin.put(`/api-keys/${id}`, { name: 'renamed' });
    expect(shown(renamed)).toMatchObject({ name: 'renamed', scopes: ['items:read'], ...settings });
    const cleared = { expires_at: null, rate_limit: null, allowed_origins: null };
    expect(shown(await admin.put(`/api-keys/${id}`, { name: 'x', ...cleared }))).toMatchObject(cleared);
  });

  it('PUT that omits the scopes is checked like one that sends them, before the precondition', async () => {
    const { id } = await create({ scopes: ['users:write'], expires_at: '2099-01-01T00:00:00.000Z' });
    const narrow = withKey((await create({ scopes: ['keys:manage', 'items:read'] })).key);
    const revived = { name: 'revived', expires_at: null };
    expect(error(await narrow.put(`/api-keys/${id}`, revived))).toEqual([403, 'scope_escalation']);
    const stale: Header = ['If-Match', '"stale"'];
    expect(error(await narrow.put(`/api-keys/${id}`, revived, stale))).toEqual([403, 'scope_escalation']);
    expect(shown(await admin.get(`/api-keys/${id}`))).toMatchObject({ name: 'probe' });
    expect((await narrow.put(`/api-keys/${id}`, { ...revived, scopes: ['items:read'] })).status).toBe(200);
  });

  it('PUT honours If-Match; a deleted key stops working immediately, and is unknown afterwards', async () => {
    const { id, key } = await create();
    const client = withKey(key);
    const stale: Header = ['If-Match', '"stale"'];
    expect((await client.get('/items')).status).toBe(200);
    expect((await admin.put(`/api-keys/${id}`, { name: 'x' }, stale)).status).toBe(412);
    expect((await admin.delete(`/api-keys/${id}`, stale)).status).toBe(412);
    expect((await client.get('/items')).status).toBe(200);
    const deleted = await admin.delete(`/api-keys/${id}`);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await client.get('/items')).status).toBe(401);
    for (const answer of [
      await admin.get(`/api-keys/${id}`),
      await admin.put(`/api-keys/${id}`, { name: 'x' }),
      await admin.delete(`/api-keys/${id}`),
    ]) {
      expect(error(answer)).toEqual([404, 'api_key_not_found']);
    }
    const left = await under.database.query('SELECT 1 FROM api_key_secrets WHERE api_key_id = $1', [id]);
    expect(left).toEqual([]);
  });

  it('a repeat with the same Idempotency-Key is 409 secret_not_replayable with Location', async () => {
    const input = { name: 'once', scopes: [] };
    const repeatable: Header = ['Idempotency-Key', `key of ${under.database.dialect}`.replaceAll(' ', '-')];
    const first = await admin.post('/api-keys', input, repeatable);
    const second = await admin.post('/api-keys', input, repeatable);
    expect(first.status).toBe(201);
    expect(error(second)).toEqual([409, 'secret_not_replayable']);
    expect(second.header('Location')).toBe(`/api-keys/${shown(first).id}`);
  });

  it('last_used_at is written in batches, sorts the list, and does not change updated_at', async () => {
    const [used, idle] = [await create(), await create()];
    const before = new Date().toISOString();
    for (let count = 0; count < 5; count++) await withKey(used.key).get('/items');
    await service.app.get(LastUseWriter).runNow();
    const after = shown(await admin.get(`/api-keys/${used.id}`));
    const lastUsedAt = String(after.last_used_at);
    expect([before, lastUsedAt, new Date().toISOString()].sort()[1]).toBe(lastUsedAt);
    expect(after.updated_at).toBe(used.updated_at);
    expect(shown(await admin.get(`/api-keys/${idle.id}`)).last_used_at).toBeNull();
    const listed = (await admin.get('/api-keys?sort=-last_used_at&limit=1')).json() as { api_keys: Shown[] };
    expect(listed.api_keys.map(({ id }) => id)).toEqual([used.id]);
    const { seq } = (
      await under.database.query<{ seq: number }>('SELECT seq FROM api_keys WHERE id = $1', [used.id])
    )[0]!;
    await service.app.get(LastUseWriter).runNow();
    expect(await under.database.query('SELECT seq FROM api_keys WHERE id = $1', [used.id])).toEqual([{ seq }]);
  });

  it('the use of a key is written later if the database fails, and never if the key was deleted', async () => {
    const [kept, gone] = [await create(), await create()];
    for (const { key } of [kept, gone]) await withKey(key).get('/items');
    await admin.delete(`/api-keys/${gone.id}`);
    const writer = service.app.get(LastUseWriter);
    const database = jest.spyOn(writer['keys'], 'transaction').mockRejectedValueOnce(new Error('down'));
    await writer.runNow();
    database.mockRestore();
    expect(shown(await admin.get(`/api-keys/${kept.id}`)).last_used_at).toBeNull();
    await writer.runNow();
    expect(shown(await admin.get(`/api-keys/${kept.id}`)).last_used_at).not.toBeNull();
  });

  it('lists no keys for a credential that has no user and is no admin', async () => {
    await create();
    const request: ListRequest = { style: 'offset', page: 1, perPage: 10, sort: [], filter: {} };
    const listed = (isAdmin: boolean) => {
      const caller: Principal = {
        credentialId: 'x',
        kind: 'bearer',
        userId: null,
        isAdmin,
        scopes: new Set(),
        rateLimit: null,
      };
      return service.app.get(ApiKeysService).list(caller, request, '/api-keys');
    };
    await expect(listed(true)).resolves.toBeDefined();
    await expect(listed(false)).rejects.toThrow(NotOwnerError);
  });
});
