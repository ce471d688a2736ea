import { FaultServer, refusal } from '@items/testing';

import { ExpiredCursorError, isCode } from './index.js';
import { clientOf, failureOf } from './testing/client-under-test.testing.js';

let server: FaultServer;
beforeAll(async () => {
  server = await FaultServer.start();
  const { client } = clientOf(server);
  for (let n = 1; n <= 7; n += 1) await client.items.create({ name: `Mug ${String(n)}` });
});
afterAll(() => server.stop());
beforeEach(() => server.setPlan(() => undefined));

async function names(walk: AsyncIterable<{ readonly name: string }>): Promise<string[]> {
  const all: string[] = [];
  for await (const { name } of walk) all.push(name);
  return all;
}

describe('SPEC §4: a walk', () => {
  it('returns every row once, page by page, and sends the query with every page', async () => {
    const { client } = clientOf(server);
    expect(await names(client.items.walk({ sort: ['-price', 'name'], limit: 3 }))).toHaveLength(7);
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/items?limit=3&sort=-price%2Cname',
      '/items?limit=3&sort=-price%2Cname&cursor=3',
      '/items?limit=3&sort=-price%2Cname&cursor=6',
    ]);
  });

  it('requests 100 rows at a time, and nothing before the first row is read', async () => {
    const walk = clientOf(server).client.items.walk();
    expect(server.requests).toHaveLength(0);
    await walk.next();
    expect(server.requests[0]?.path).toBe('/items?limit=100');
  });

  it('retries a page after temporary failures', async () => {
    server.fail(undefined, { kind: 'reset', done: true, afterBytes: 9 }, { kind: 'answer', answer: refusal(503, 'x') });
    expect(await names(clientOf(server).client.items.walk({ limit: 3 }))).toHaveLength(7);
  });

  it('never restarts', async () => {
    server.fail(undefined, { kind: 'answer', answer: refusal(400, 'expired_cursor') });
    const error = await failureOf(names(clientOf(server).client.items.walk({ limit: 3 })));
    expect(error).toBeInstanceOf(ExpiredCursorError);
    expect(isCode(error, 'expired_cursor')).toBe(true);
    expect(server.requests).toHaveLength(2);
  });

  it('throws if the next cursor is the same', async () => {
    server.setPlan(() => ({ kind: 'answer', answer: { status: 200, body: { items: [], next_cursor: 'same' } } }));
    const error = await failureOf(names(clientOf(server).client.items.walk()));
    expect(error).toMatchObject({ code: 'unexpected_response' });
    expect(server.requests).toHaveLength(2);
  });

  it('requests no page before it is needed', async () => {
    for await (const item of clientOf(server).client.items.walk({ limit: 3 })) if (item.name === 'Mug 2') break;
    expect(server.requests).toHaveLength(1);
  });
});

describe('an id', () => {
  it.each(['', '.', '..'])('%j, which would lead elsewhere, is refused', async (id) => {
    await expect(clientOf(server).client.items.get(id)).rejects.toThrow(TypeError);
    await expect(clientOf(server).client.items.delete(id)).rejects.toThrow(TypeError);
    expect(server.requests).toHaveLength(0);
  });

  it('is one part of the path for any characters', async () => {
    await failureOf(clientOf(server).client.items.get('a/../b?c'));
    expect(server.requests[0]?.path).toBe('/items/a%2F..%2Fb%3Fc');
  });
});

describe('other collections', () => {
  it('are reached by their path, below that of the base URL', async () => {
    const { client } = clientOf(server, { baseUrl: `${server.baseUrl}/api` });
    await failureOf(client.collection('widgets').get('x'));
    await failureOf(client.orders('me').transition('o', 'confirmed'));
    await failureOf(client.allOrders.page({ user_id: 'u', status: ['pending', 'shipped'] }));
    await failureOf(client.apiKeys.rotate('k', { grace_seconds: 0 }));
    await failureOf(client.clients.rotate('c'));
    await failureOf(client.users.me());
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/widgets/x',
      'POST /api/users/me/orders/o/transitions',
      'GET /api/orders?user_id=u&status=pending%2Cshipped',
      'POST /api/api-keys/k/rotations',
      'POST /api/clients/c/rotations',
      'GET /api/users/me',
    ]);
  });

  it('have typed pages if the name is a type argument, otherwise rows by name', async () => {
    interface Widget {
      readonly id: string;
    }
    server.setPlan(() => ({ kind: 'answer', answer: { status: 200, body: { widgets: [{ id: 'w' }], total: 1 } } }));
    const { client } = clientOf(server);
    const named = await client.collection<Widget, Widget, 'widgets'>('widgets').page();
    expect([named.widgets[0]?.id, named.total]).toEqual(['w', 1]);
    const { widgets: rows } = await client.collection<Widget, Widget>('widgets').page();
    expect(rows).toEqual([{ id: 'w' }]);
  });

  it('accept the ranges of their types, in cursor style', async () => {
    const body = { items: [], users: [], api_keys: [], orders: [], limit: 20, next_cursor: 'next' };
    server.setPlan(() => ({ kind: 'answer', answer: { status: 200, body } }));
    const { items, users, apiKeys, allOrders } = clientOf(server).client;
    const page = await items.page({ price_min: 1e21, price_max: 20.5, color: ['red'], sort: '-price' });
    expect(page.next_cursor).toBe('next');
    // @ts-expect-error: a page in cursor style has no total.
    expect(page.total).toBeUndefined();
    await users.page({ username_prefix: 'ada', limit: 2 });
    await apiKeys.page({ last_used_at_min: '2026-11-01T00:00:00+02:00' });
    await allOrders.page({ total_max: 9.5, status: 'pending' });
    // @ts-expect-error: a text field has no minimum.
    await items.page({ name_min: 'a' });
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/items?price_min=1e%2B21&price_max=20.5&color=red&sort=-price',
      '/users?username_prefix=ada&limit=2',
      '/api-keys?last_used_at_min=2026-11-01T00%3A00%3A00%2B02%3A00',
      '/orders?total_max=9.5&status=pending',
      '/items?name_min=a',
    ]);
  });

  it('have a list member of their own name', async () => {
    server.setPlan(() => ({ kind: 'answer', answer: { status: 200, body: { api_keys: [{ id: 'k' }] } } }));
    expect((await clientOf(server).client.apiKeys.page()).api_keys).toEqual([{ id: 'k' }]);
  });
});
