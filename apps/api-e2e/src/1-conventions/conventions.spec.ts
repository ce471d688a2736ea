import { admin, anonymous } from '../harness/clients.js';
import { createItem } from '../harness/items.js';
import { errorOf, expectStatus, itemOf } from '../harness/reading.js';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const RFC_3339_UTC_MS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('§1 Conventions', () => {
  it.each(['/api/v1/items', '/v1/items', '/item', '/Items', '/ITEMS', '//items', '/items/x/y', '/users%2Fme'])(
    'Paths begin at the root: %s is unknown',
    async (path) => {
      errorOf(await admin.get(path), 404);
      errorOf(await anonymous.get(path), 404);
    },
  );

  it('JSON fields are snake_case', async () => {
    const item = await createItem();
    expect(Object.keys(item).sort()).toEqual([
      'color',
      'created_at',
      'description',
      'id',
      'name',
      'price',
      'updated_at',
    ]);
  });

  it('Times are RFC 3339 UTC with milliseconds', async () => {
    const before = Date.now();
    const { created_at, updated_at } = await createItem();
    expect(created_at).toMatch(RFC_3339_UTC_MS);
    expect(updated_at).toMatch(RFC_3339_UTC_MS);
    expect(Math.abs(Date.parse(created_at) - before)).toBeLessThan(60_000);
    expect(updated_at >= created_at).toBe(true);
  });

  it('Ids are strings made by the service (UUIDv7)', async () => {
    const { id } = await createItem();
    expect(id).toMatch(UUID_V7);
  });

  it('Each request is self-contained: no response sets a cookie', async () => {
    for (const target of ['/items', '/health/ready', '/nothing']) {
      expect((await admin.get(target)).header('set-cookie')).toBeUndefined();
    }
  });

  it('Bodies are JSON, in requests and in responses', async () => {
    const answer = await admin.post('/items', { name: 'Lamp' });
    itemOf(answer, 201);
    expect(answer.header('content-type')).toMatch(/^application\/json(; charset=utf-8)?$/i);
  });

  it.each(['/items', '/items/x', '/api-keys', '/api-keys/x'])(
    'Everything needs credentials: GET %s without a credential is 401',
    async (target) => {
      errorOf(await anonymous.get(target), 401);
    },
  );

  it.each(['/health/live', '/health/ready', '/openapi.json', '/docs'])(
    'Everything needs credentials except %s',
    async (target) => {
      const answer = await anonymous.get(target);
      const redirected = [301, 302, 303, 307, 308].includes(answer.status)
        ? await anonymous.get(new URL(answer.header('location') ?? '', 'http://x').pathname)
        : answer;
      expectStatus(redirected, 200);
    },
  );

  it.each(['/items', '/items/x', '/api-keys', '/api-keys/x', '/health/live', '/openapi.json'])(
    'Everything needs credentials except OPTIONS %s',
    async (target) => {
      expectStatus(await anonymous.send('OPTIONS', target), 204);
    },
  );
});
