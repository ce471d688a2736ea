import type { ApiKey, CreatedApiKey } from '@items/dtos/contract';
import type { HttpClient } from '@items/testing';

import { admin, clientWith, createKey, withKey } from '../harness/clients.js';
import { errorOf, expectStatus, fieldsOf } from '../harness/reading.js';

const SECRET = /^itk_[0-9A-Za-z]{49}$/;
const FIELDS = ['created_at', 'expires_at', 'id', 'last_used_at', 'name', 'rate_limit', 'scopes', 'updated_at'];

async function readKey(id: string): Promise<ApiKey> {
  const answer = await admin.get(`/api-keys/${id}`);
  expectStatus(answer, 200);
  return answer.json() as ApiKey;
}

describe('§5 API keys', () => {
  it('the secret is itk_ + 43 + 6 base62, unique, and shown only in the response to creation', async () => {
    const [one, other] = [await createKey(), await createKey()];
    expect(one.key).toMatch(SECRET);
    expect(other.key).not.toBe(one.key);
    expect(await readKey(one.id)).not.toHaveProperty('key');
    const list = await admin.get('/api-keys?sort=-created_at&per_page=100');
    expect(list.text).toContain(one.id);
    expect(list.text).not.toContain(one.key.slice(4, 20));
    const replaced = await admin.put(`/api-keys/${one.id}`, { name: 'Renamed' });
    expect(replaced.text).not.toContain(one.key.slice(4, 20));
  });

  it('creation returns 201 with Location and every field', async () => {
    const body = { name: ' Key ', scopes: ['items:read'] };
    const answer = await admin.post('/api-keys', body);
    expectStatus(answer, 201);
    const { key, ...created } = answer.json() as CreatedApiKey;
    expect(Object.keys(created)).toEqual(expect.arrayContaining(FIELDS));
    expect(created).toMatchObject({ name: 'Key', scopes: ['items:read'], expires_at: null, last_used_at: null });
    expect(new URL(answer.header('location') ?? '', 'http://x').pathname).toBe(`/api-keys/${created.id}`);
    expect(await readKey(created.id)).toEqual(created);
    expect(key).toMatch(SECRET);
  });

  it('a key works immediately, and stops working immediately when it is deleted', async () => {
    const { id, key } = await createKey();
    expectStatus(await withKey(key).get('/items'), 200);
    expectStatus(await admin.delete(`/api-keys/${id}`), 204);
    errorOf(await withKey(key).get('/items'), 401);
    errorOf(await admin.get(`/api-keys/${id}`), 404);
  });

  it('a changed byte, a missing one and another case are another key', async () => {
    const { key } = await createKey();
    const swapped = [...key].map((letter) =>
      letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
    );
    for (const bad of [`${key}0`, key.slice(0, -1), key.slice(4), `itk_${'0'.repeat(49)}`, swapped.join('')]) {
      errorOf(await withKey(bad).get('/items'), 401);
    }
  });

  it('last_used_at is the time of the last use, with a lag of some seconds', async () => {
    const { id, key } = await createKey();
    expectStatus(await withKey(key).get('/items'), 200);
    const deadline = Date.now() + 15_000;
    while ((await readKey(id)).last_used_at === null && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    expect(Date.parse((await readKey(id)).last_used_at ?? '')).toBeGreaterThan(Date.now() - 60_000);
  });

  describe('PUT', () => {
    it('replaces the sent fields: omitted fields are unchanged, and null clears a field', async () => {
      const settings = { expires_at: '2099-01-01T00:00:00.000Z', rate_limit: { requests: 5, seconds: 60 } };
      const { id, key } = await createKey(settings);
      expectStatus(await admin.put(`/api-keys/${id}`, { name: 'Renamed' }), 200);
      expect(await readKey(id)).toMatchObject({ name: 'Renamed', scopes: ['items:read'], ...settings });
      expectStatus(await withKey(key).get('/items'), 200);
      const cleared = { expires_at: null, rate_limit: null };
      expectStatus(await admin.put(`/api-keys/${id}`, { name: 'Renamed', ...cleared }), 200);
      expect(await readKey(id)).toMatchObject(cleared);
    });

    it('replaces the scopes from the next request on', async () => {
      const { id, key } = await createKey({ scopes: ['items:read', 'items:write'] });
      expectStatus(await withKey(key).post('/items', { name: 'Lamp' }), 201);
      expectStatus(await admin.put(`/api-keys/${id}`, { name: 'Key', scopes: ['items:read'] }), 200);
      errorOf(await withKey(key).post('/items', { name: 'Lamp' }), 403);
    });

    it('honours If-Match as items do', async () => {
      const { id } = await createKey();
      const etag = (await admin.get(`/api-keys/${id}`)).header('etag') ?? '';
      errorOf(await admin.put(`/api-keys/${id}`, { name: 'Key' }, ['If-Match', '"another"']), 412);
      expectStatus(await admin.put(`/api-keys/${id}`, { name: 'Key' }, ['If-Match', etag]), 200);
      errorOf(await admin.delete(`/api-keys/${id}`, ['If-Match', etag]), 412);
    });
  });

  it.each([
    ['no name', { scopes: [] }, 'name'],
    ['an empty name', { name: ' ', scopes: [] }, 'name'],
    ['an unknown scope', { name: 'Key', scopes: ['items:admin'] }, 'scopes'],
    ['scopes that are no list', { name: 'Key', scopes: 'items:read' }, 'scopes'],
    ['a scope that is no text', { name: 'Key', scopes: [1] }, 'scopes'],
    ['an expiry that is no time', { name: 'Key', scopes: [], expires_at: 'tomorrow' }, 'expires_at'],
    ['a day that there is not', { name: 'Key', scopes: [], expires_at: '2099-02-30T00:00:00.000Z' }, 'expires_at'],
    ['a quota of none', { name: 'Key', scopes: [], rate_limit: { requests: 0, seconds: 60 } }, 'rate_limit'],
    ['half a quota', { name: 'Key', scopes: [], rate_limit: { requests: 5 } }, 'rate_limit'],
    ['a quota that is text', { name: 'Key', scopes: [], rate_limit: '5/60' }, 'rate_limit'],
    ['an unknown field', { name: 'Key', scopes: [], role: 'admin' }, 'role'],
    ['a secret of its own', { name: 'Key', scopes: [], secret: 'x' }, 'secret'],
  ])('invalid content is 422 and named: %s', async (_title, body, field) => {
    const error = errorOf(await admin.post('/api-keys', body), 422);
    expect(fieldsOf(error).map((name) => name.split('.')[0])).toContain(field);
  });
});

describe('§5 A new credential can never hold more than its creator: 403', () => {
  let manager: HttpClient;
  beforeAll(async () => {
    manager = await clientWith('keys:manage', 'items:read');
  });

  it('a creation with more scopes than the creator is refused', async () => {
    const error = errorOf(await manager.post('/api-keys', { name: 'Key', scopes: ['items:read', 'items:write'] }), 403);
    expect(error.error).toContain('items:write');
    await createKey({ scopes: ['items:read', 'keys:manage'] }, manager);
  });

  it('a replacement with more scopes than the creator is refused', async () => {
    const { id } = await createKey({ scopes: [] }, manager);
    errorOf(await manager.put(`/api-keys/${id}`, { name: 'Key', scopes: ['items:write'] }), 403);
    expect((await readKey(id)).scopes).toEqual([]);
    expectStatus(await manager.put(`/api-keys/${id}`, { name: 'Key', scopes: ['items:read'] }), 200);
  });

  it('a key that a user made cannot create a key with more scopes', async () => {
    const { key } = await createKey({ scopes: ['keys:manage'] }, manager);
    errorOf(await withKey(key).post('/api-keys', { name: 'Key', scopes: ['items:read'] }), 403);
  });
});
