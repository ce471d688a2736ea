import type { Order } from '@items/dtos/contract';

import { admin } from '../harness/clients.js';
import { createItem } from '../harness/items.js';
import { createCustomer, orderOf, ordersOf, type Customer } from '../harness/orders.js';
import { expectStatus } from '../harness/reading.js';

const MIB = 1_048_576;

/** Each character of the name takes six bytes in JSON, so that an order is 130 kB. */
const NAME = `a${'\u0001'.repeat(198)}a`;

describe('§4 a page in cursor style ends before 1 MiB of JSON; pages in offset style are written in pieces', () => {
  let customer: Customer;
  const orders: Order[] = [];

  beforeAll(async () => {
    customer = await createCustomer();
    const item = await createItem({ name: NAME, price: 1 });
    const lines = Array.from({ length: 100 }, () => ({ item_id: item.id, quantity: 1 }));
    for (let n = 0; n < 20; n += 1) orders.push(orderOf(await customer.client.post(customer.path, { lines }), 201));
  });

  it.each(['', '&sort=-total', '&sort=-created_at'])('a walk returns each order once: %s', async (sort) => {
    const listed: Order[] = [];
    const sizes: number[] = [];
    let cursor = '';
    do {
      const answer = await customer.client.get(`${customer.path}?limit=20${sort}${cursor}`);
      const page = ordersOf(answer);
      expect(page.limit).toBe(20);
      listed.push(...page.orders);
      sizes.push(answer.body.length);
      cursor = page.next_cursor === undefined ? '' : `&cursor=${page.next_cursor}`;
    } while (cursor !== '');
    expect(listed).toEqual(sort === '&sort=-created_at' ? orders.toReversed() : orders);
    expect(sizes.filter((bytes) => bytes >= MIB)).toEqual([]);
    expect(sizes.length).toBe(3);
  });

  it('a page in offset style has all its members, and comes in chunks', async () => {
    const answer = await customer.client.get(`${customer.path}?per_page=20`);
    expect(ordersOf(answer)).toEqual({ orders, page: 1, per_page: 20, total: 20 });
    expect(answer.body.length).toBeGreaterThan(2 * MIB);
    expect([answer.header('content-length'), answer.header('transfer-encoding')]).toEqual([undefined, 'chunked']);
    expect(answer.header('link')).toContain('rel="first"');
    expect(answer.header('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.header('etag')).toBeUndefined();
  });

  it('HEAD has the headers of a large page, and no body', async () => {
    const answer = await customer.client.head(`${customer.path}?per_page=20`);
    expectStatus(answer, 200);
    expect([answer.body.length, answer.header('content-length')]).toEqual([0, undefined]);
    expect(answer.header('link')).toContain('rel="first"');
    expect(answer.header('content-type')).toBe('application/json; charset=utf-8');
    expectStatus(await customer.client.get(`${customer.path}?per_page=1`), 200);
  });

  it('a short page has Content-Length', async () => {
    const answer = await admin.get('/items?per_page=1');
    expect(answer.header('content-length')).toBe(String(answer.body.length));
  });
});
