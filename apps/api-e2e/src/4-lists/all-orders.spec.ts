import { ORDER_STATUSES, type Item, type Order } from '@items/dtos/contract';

import { admin } from '../harness/clients.js';
import { linksOf } from '../harness/link.js';
import {
  advance,
  createCustomer,
  createPriced,
  ORDER_SORTS,
  ordersOf,
  placeOrder,
  sortedOrders,
  walkOrders,
  type Customer,
} from '../harness/orders.js';
import { errorOf, fieldsOf } from '../harness/reading.js';

const everybodys = { client: admin, path: '/orders' };

describe('§3 GET /orders lists the orders of all users for admin: both styles, sorted like a user’s', () => {
  let items: Item[];
  let customers: readonly Customer[];
  /** Filters by these customers, because other tests place orders at the same time. */
  let ours: string;
  let orders: Order[];

  beforeAll(async () => {
    customers = [await createCustomer(), await createCustomer(), await createCustomer()];
    ours = `user_id=${customers.map(({ id }) => id).join(',')}`;
    items = await createPriced(2, 0.1, 9.99, 10);
    for (let n = 0; n < 12; n += 1) {
      const customer = customers[n % 3]!;
      const target = `${customer.path}/${(await placeOrder(customer, items[(n * 3) % 4]!)).id}`;
      if (n % 4 === 1) await advance(target, 'confirmed', 'shipped');
      if (n % 5 === 2) await advance(target, 'cancelled');
    }
    orders = await walkOrders(everybodys, `${ours}&limit=100`);
  });

  it('the orders of several users together, each as its user sees it, with the exact total', async () => {
    const each = await Promise.all(customers.map((customer) => walkOrders(customer, 'limit=100')));
    expect(orders).toEqual(sortedOrders(each.flat(), 'created_at'));
    const page = ordersOf(await admin.get(`/orders?${ours}&per_page=5&page=2`));
    expect(page).toEqual({ orders: orders.slice(5, 10), page: 2, per_page: 5, total: 12 });
  });

  it('without a filter they are among the orders of all users', async () => {
    const all = await walkOrders(everybodys, 'limit=100');
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const ids = new Set(orders.map(({ id }) => id));
    expect(all.filter(({ id }) => ids.has(id))).toEqual(orders);
    const newest = ordersOf(await admin.get('/orders?sort=-created_at&per_page=100'));
    expect(newest.total).toBeGreaterThanOrEqual(all.length);
    expect(newest.orders).toHaveLength(Math.min(20, newest.total));
  });

  it.each(ORDER_SORTS)('sort=%s, in both styles', async (sort) => {
    const expected = sortedOrders(orders, sort);
    expect(await walkOrders(everybodys, `${ours}&sort=${sort}&limit=5`)).toEqual(expected);
    const page = ordersOf(await admin.get(`/orders?${ours}&sort=${sort}&per_page=5&page=2`));
    expect(page.orders).toEqual(expected.slice(5, 10));
    const all = await walkOrders(everybodys, `sort=${sort}&limit=100`);
    const ids = new Set(orders.map(({ id }) => id));
    expect(all.filter(({ id }) => ids.has(id))).toEqual(expected);
  });

  it.each([...ORDER_STATUSES, 'pending,shipped'])('filters user_id and status: status=%s is exact', async (status) => {
    const match = orders.filter((order) => status.split(',').includes(order.status));
    const page = ordersOf(await admin.get(`/orders?${ours}&status=${status}&per_page=100`));
    expect(page).toMatchObject({ orders: match, total: match.length });
    const [ada] = customers as [Customer];
    const own = match.filter((order) => order.user_id === ada.id);
    expect(ordersOf(await admin.get(`/orders?status=${status}&user_id=${ada.id}`))).toMatchObject({
      orders: own,
      total: own.length,
    });
    const all = await walkOrders(everybodys, `status=${status}&limit=100`);
    const ids = new Set(match.map(({ id }) => id));
    expect(all.filter(({ id }) => ids.has(id))).toEqual(match);
    expect(all.every((order) => status.split(',').includes(order.status))).toBe(true);
  });

  it.each(['01890000-0000-7000-8000-000000000007', 'x', 'me', '%F0%9F%8E%A8', '00000000-0000-0000-0000-000000000000'])(
    'an unknown user has no orders: user_id=%s',
    async (id) => {
      expect(ordersOf(await admin.get(`/orders?user_id=${id}`))).toMatchObject({ orders: [], total: 0 });
      expect(ordersOf(await admin.get(`/orders?user_id=${id}&limit=5`)).orders).toEqual([]);
    },
  );

  it.each([
    ['sort=user_id', 'sort'],
    ['sort=status', 'sort'],
    ['status=lost', 'status'],
    ['user_id=', 'user_id'],
    ['user_id=x&user_id=y', 'user_id'],
    ['color=red', 'color'],
  ])('?%s is 400, naming it', async (query, parameter) => {
    expect(fieldsOf(errorOf(await admin.get(`/orders?${query}`), 400))).toEqual([parameter]);
  });

  it('The cursor is bound to the path /orders', async () => {
    const [ada] = customers as [Customer];
    const cursorOf = async (target: string): Promise<string> => ordersOf(await admin.get(target)).next_cursor ?? '';
    const everybody = await cursorOf(`/orders?user_id=${ada.id}&limit=1`);
    const own = await cursorOf(`${ada.path}?limit=1`);
    for (const target of [
      `${ada.path}?limit=1&cursor=${everybody}`,
      `/orders?user_id=${ada.id}&limit=1&cursor=${own}`,
      `/orders?limit=1&cursor=${everybody}`,
      `/orders?limit=1&cursor=${own}`,
    ]) {
      expect(errorOf(await admin.get(target), 400).code).toBe('invalid_cursor');
    }
  });

  it('Lists carry a Link header and no ETag', async () => {
    const answer = await admin.get(`/orders?${ours}&per_page=5`);
    expect(answer.header('etag')).toBeUndefined();
    const { last = '' } = linksOf(answer);
    expect(last).toMatch(/^\/orders\?/);
    expect(ordersOf(await admin.get(last)).orders).toEqual(orders.slice(10));
  });

  it('an order of a deleted user stays in the list', async () => {
    const gone = await createCustomer();
    const kept = await placeOrder(gone, items[0]!);
    await admin.delete(`/users/${gone.id}`);
    expect(ordersOf(await admin.get(`/orders?user_id=${gone.id}`)).orders).toEqual([kept]);
  });

  it.each(ORDER_SORTS)('Cursor paging neither skips nor duplicates rows when data changes: sort=%s', async (sort) => {
    const [bob, eve] = [await createCustomer(), await createCustomer()];
    for (let n = 0; n < 10; n += 1) await placeOrder(n % 2 === 0 ? bob : eve, items[n % 4]!);
    const query = `user_id=${bob.id},${eve.id}&status=pending&sort=${sort}`;
    const before = await walkOrders(everybodys, `${query}&limit=100`);
    const rest = [...before];
    const walked = await walkOrders(everybodys, `${query}&limit=2`, async () => {
      const changed = [rest.shift(), rest.pop()].filter((order) => order !== undefined);
      await Promise.all([
        ...changed.map((order) => advance(`/users/${order.user_id}/orders/${order.id}`, 'confirmed')),
        placeOrder(bob, items[0]!),
        placeOrder(eve, items[1]!),
      ]);
    });
    expect(before).toHaveLength(10);
    expect(walked).toEqual(before);
  });
});
