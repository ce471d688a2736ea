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

describe('§4 orders sort by created_at, updated_at, total, filter status', () => {
  let ada: Customer;
  let items: Item[];
  let orders: Order[];

  beforeAll(async () => {
    ada = await createCustomer();
    const other = await createCustomer();
    items = await createPriced(2, 0.1, 9.99, 10);
    for (let n = 0; n < 11; n += 1) {
      const { id } = await placeOrder(ada, items[(n * 3) % 4]!);
      await placeOrder(other, items[n % 4]!);
      if (n % 3 === 1) await advance(`${ada.path}/${id}`, 'confirmed');
      if (n % 4 === 2) await advance(`${ada.path}/${id}`, 'cancelled');
    }
    orders = await walkOrders(ada, 'limit=100');
  });

  it('a list has the orders of one user, in creation order by default, with the exact total', async () => {
    expect(orders).toHaveLength(11);
    expect(orders.every((order) => order.user_id === ada.id)).toBe(true);
    expect(orders).toEqual(sortedOrders(orders, 'created_at'));
    const page = ordersOf(await ada.client.get(`${ada.path}?per_page=4&page=2`));
    expect(page).toEqual({ orders: orders.slice(4, 8), page: 2, per_page: 4, total: 11 });
    expect(ordersOf(await ada.client.get('/users/me/orders?per_page=100')).orders).toEqual(orders);
    expect(ordersOf(await admin.get(`${ada.path}?per_page=100`)).orders).toEqual(orders);
  });

  it.each(['/users/me/orders', '/orders', 'their path'])(
    '§4.1 per_page and limit of orders are 1–20: more is served as 20, also in the envelope: %s',
    async (route) => {
      const [client, path] = route === 'their path' ? [admin, ada.path] : [ada.client, route];
      const asked = route === '/orders' ? admin : client;
      for (const size of [21, 100, 1000]) {
        expect(ordersOf(await asked.get(`${path}?per_page=${size}`))).toMatchObject({ per_page: 20 });
        expect(ordersOf(await asked.get(`${path}?limit=${size}`))).toMatchObject({ limit: 20 });
      }
      expect(ordersOf(await asked.get(`${path}?limit=19`))).toMatchObject({ limit: 19 });
      errorOf(await asked.get(`${path}?limit=0`), 400);
    },
  );

  it.each(ORDER_SORTS)('sort=%s, in both styles', async (sort) => {
    const expected = sortedOrders(orders, sort);
    expect(await walkOrders(ada, `sort=${sort}&limit=3`)).toEqual(expected);
    const page = ordersOf(await ada.client.get(`${ada.path}?sort=${sort}&per_page=3&page=3`));
    expect(page.orders).toEqual(expected.slice(6, 9));
  });

  it.each([...ORDER_STATUSES, 'pending,cancelled'])('status=%s is exact', async (status) => {
    const expected = orders.filter((order) => status.split(',').includes(order.status));
    const page = ordersOf(await ada.client.get(`${ada.path}?status=${status}&per_page=100`));
    expect(page).toMatchObject({ orders: expected, total: expected.length });
    expect(await walkOrders(ada, `status=${status}&limit=2&sort=-total`)).toEqual(sortedOrders(expected, '-total'));
  });

  it.each([
    ['sort=name', 'sort'],
    ['sort=status', 'sort'],
    ['status=lost', 'status'],
    ['user_id=x', 'user_id'],
    ['color=red', 'color'],
  ])('?%s is 400, naming it', async (query, parameter) => {
    expect(fieldsOf(errorOf(await ada.client.get(`${ada.path}?${query}`), 400))).toEqual([parameter]);
  });

  it('The cursor is bound to its collection’s path, filter and sort', async () => {
    const other = await createCustomer();
    const { next_cursor: cursor = '' } = ordersOf(await admin.get(`${ada.path}?limit=2`));
    for (const target of [
      `${other.path}?limit=2`,
      `${ada.path}?limit=2&status=pending`,
      `${ada.path}?limit=2&sort=total`,
    ]) {
      expect(errorOf(await admin.get(`${target}&cursor=${cursor}`), 400).code).toBe('invalid_cursor');
    }
  });

  it('Lists carry a Link header and no ETag', async () => {
    const answer = await ada.client.get(`${ada.path}?per_page=5`);
    expect(answer.header('etag')).toBeUndefined();
    expect(ordersOf(await ada.client.get(linksOf(answer)['last'] ?? '')).orders).toEqual(orders.slice(10));
  });

  it.each(ORDER_SORTS)('Cursor paging neither skips nor duplicates rows when data changes: sort=%s', async (sort) => {
    const bob = await createCustomer();
    for (let n = 0; n < 9; n += 1) await placeOrder(bob, items[n % 4]!);
    const before = await walkOrders(bob, `sort=${sort}&status=pending&limit=100`);
    const rest = [...before];
    const walked = await walkOrders(bob, `sort=${sort}&status=pending&limit=2`, async () => {
      const [first, last] = [rest.shift(), rest.pop()];
      await Promise.all([
        ...[first, last].flatMap((order) => (order ? [advance(`${bob.path}/${order.id}`, 'confirmed')] : [])),
        placeOrder(bob, items[0]!),
      ]);
    });
    expect(walked).toEqual(before);
    const pending = ordersOf(await bob.client.get(`${bob.path}?status=pending`));
    expect(pending.orders).toHaveLength(pending.total);
  });
});
