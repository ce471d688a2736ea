import type { User } from '@items/dtos/contract';
import type { Answer } from '@items/testing';

import { admin, anonymous, createKey } from '../harness/clients.js';
import { createCustomer, createPriced, placeOrder, walkOrders, type Customer } from '../harness/orders.js';
import { errorOf, expectStatus, fieldsOf } from '../harness/reading.js';
import { createUser, PASSWORD, withBasic } from '../harness/users.js';

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

function rowsOf(answer: Answer, name: string): Row[] {
  expectStatus(answer, 200);
  return (answer.json() as Record<string, Row[]>)[name] ?? [];
}

describe('§4 Every sortable field has a range, in every collection', () => {
  it('users: username, created_at; with filters', async () => {
    const start = `range-${String(process.pid)}-${String(Date.now())}.`;
    const users: User[] = [];
    for (const name of ['a', 'b', 'ba', 'c']) users.push(await createUser({ username: `${start}${name}` }));
    const listed = async (query: string): Promise<unknown[]> =>
      rowsOf(await admin.get(`/users?${query}`), 'users').map(({ id }) => id);
    expect(await listed(`username_prefix=${start}b`)).toEqual([users[1]!.id, users[2]!.id]);
    expect(await listed(`username_prefix=${start}&sort=-username&role=viewer&limit=3`)).toEqual(
      [3, 2, 1].map((at) => users[at]!.id),
    );
    expect(await listed(`username_prefix=${start}&role=admin`)).toEqual([]);
    expect(await listed(`username_prefix=${start.toUpperCase()}`)).toEqual([]);
    const since = `sort=-created_at&created_at_min=${users[2]!.created_at}&limit=100`;
    expect(await listed(since)).toEqual(expect.arrayContaining([users[3]!.id, users[2]!.id]));
    expect(await listed(since)).not.toContain(users[0]!.id);
    errorOf(await admin.get('/users?updated_at_min=2026-01-01T00:00:00Z'), 400);
  });

  it('API keys: created_at, last_used_at, which is null before the first use', async () => {
    const keys = [await createKey(), await createKey()];
    const ids = keys.map(({ id }) => id);
    const own = async (query: string): Promise<string[]> =>
      rowsOf(await admin.get(`/api-keys?limit=100&${query}`), 'api_keys')
        .map(({ id }) => id)
        .filter((id) => ids.includes(id));
    expect(await own(`sort=created_at&created_at_min=${keys[0]!.created_at}`)).toEqual(ids);
    expect(await own(`created_at_max=${keys[0]!.created_at}&sort=-created_at`)).not.toContain(ids[1]);
    expect(await own('sort=-last_used_at&last_used_at_max=2999-01-01T00:00:00Z')).toEqual([]);
    errorOf(await admin.get('/api-keys?name_prefix=a'), 400);
  });
});

describe('§4 Ranges of nested collections', () => {
  let ada: Customer;
  beforeAll(async () => {
    ada = await createCustomer();
    const items = await createPriced(1, 2.5, 10);
    for (let n = 0; n < 9; n += 1) await placeOrder(ada, items[n % 3]!);
  });

  it.each(['total', '-total', 'total,created_at'])(
    'orders: total, sort=%s, also among the orders of all users',
    async (sort) => {
      const all = await walkOrders(ada, `sort=${sort}&limit=4`);
      const within = all.filter(({ total }) => total >= 2.5);
      const query = `sort=${sort}&total_min=2.499&limit=2`;
      expect(within).toHaveLength(6);
      expect(await walkOrders(ada, query)).toEqual(within);
      expect(await walkOrders({ client: admin, path: '/orders' }, `${query}&user_id=${ada.id}`)).toEqual(within);
      expect(await walkOrders(ada, `${query}&total_max=9.999&status=pending`)).toEqual(
        within.filter(({ total }) => total < 10),
      );
    },
  );

  it('orders: created_at, updated_at', async () => {
    const all = await walkOrders(ada, 'sort=created_at&limit=20');
    const { created_at: middle } = all[4]!;
    expect(await walkOrders(ada, `created_at_max=${middle}`)).toEqual(
      all.filter(({ created_at: time }) => time <= middle),
    );
    expect(await walkOrders(ada, 'sort=-updated_at&updated_at_min=2999-01-01T00:00:00Z')).toEqual([]);
    const refused = errorOf(await ada.client.get(`${ada.path}?total_min=1&page=1`), 400);
    expect([refused.code, fieldsOf(refused)]).toEqual(['invalid_range', ['total_min']]);
  });

  it.each(['/sessions', '/clients', '/users/me/grants'])('%s: created_at', async (path) => {
    const { username } = await createUser({ role: 'admin' });
    const client = withBasic(username);
    expectStatus(await anonymous.post('/sessions', { username, password: PASSWORD }), 201);
    const name = path.slice(path.lastIndexOf('/') + 1);
    const count = async (query: string): Promise<number> => rowsOf(await client.get(`${path}?${query}`), name).length;
    expect(await count('created_at_min=2999-01-01T00:00:00Z')).toBe(0);
    expect(await count('created_at_max=2999-01-01T00:00:00Z')).toBe(await count('limit=20'));
    if (path === '/sessions') expect(await count('last_used_at_max=2000-01-01T00:00:00Z')).toBe(0);
  });
});
