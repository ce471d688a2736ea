import { randomUUID } from 'node:crypto';

import type { Item } from '@items/dtos/contract';

import { admin } from '../harness/clients.js';
import { createItem, deleteItem } from '../harness/items.js';
import { createCustomer, createPriced, oneOfEach, orderOf, placeOrder, type Customer } from '../harness/orders.js';
import { errorOf, expectStatus, fieldsOf } from '../harness/reading.js';

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000003';

describe('§2 A user’s orders: /users/{user_id}/orders', () => {
  let ada: Customer;
  let mug: Item;
  let lamp: Item;
  beforeAll(async () => {
    ada = await createCustomer();
    [mug, lamp] = (await createPriced(12.5, 0.29)) as [Item, Item];
  });

  const refused = async (body: object): Promise<string[]> =>
    fieldsOf(errorOf(await ada.client.post(ada.path, body), 422));

  it('Creating returns 201 with the order, its Location and its ETag', async () => {
    const lines = [
      { item_id: mug.id, quantity: 2 },
      { item_id: lamp.id, quantity: 3 },
    ];
    const answer = await ada.client.post(ada.path, { lines });
    const order = orderOf(answer, 201);
    expect(order).toEqual({
      id: expect.any(String),
      user_id: ada.id,
      status: 'pending',
      lines: [
        { item_id: mug.id, name: mug.name, quantity: 2, unit_price: 12.5 },
        { item_id: lamp.id, name: lamp.name, quantity: 3, unit_price: 0.29 },
      ],
      total: 25.87,
      created_at: expect.any(String),
      updated_at: order.created_at,
    });
    expect(answer.header('location')).toBe(`${ada.path}/${order.id}`);
    const read = await ada.client.get(`${ada.path}/${order.id}`);
    expect(orderOf(read)).toEqual(order);
    expect(read.header('etag')).toBe(answer.header('etag'));
    expectStatus(await ada.client.get(`${ada.path}/${order.id}`, ['If-None-Match', read.header('etag') ?? '']), 304);
  });

  it('me means the credential’s user, also in Location', async () => {
    const own = { client: ada.client, path: '/users/me/orders' };
    const answer = await own.client.post(own.path, oneOfEach([mug]));
    const order = orderOf(answer, 201);
    expect(order.user_id).toBe(ada.id);
    expect(answer.header('location')).toBe(`/users/me/orders/${order.id}`);
    expect(orderOf(await ada.client.get(`/users/me/orders/${order.id}`))).toEqual(order);
    expect(orderOf(await ada.client.get(`${ada.path}/${order.id}`))).toEqual(order);
  });

  it('Placing an order captures each item’s name and price: later changes and deletions do not affect it', async () => {
    const [changed, deleted] = (await createPriced(7, 8)) as [Item, Item];
    const order = await placeOrder(ada, changed, deleted);
    await admin.put(`/items/${changed.id}`, { name: 'Dearer', price: 700 });
    await deleteItem(deleted.id);
    expect(orderOf(await ada.client.get(`${ada.path}/${order.id}`))).toEqual(order);
    expect(await refused(oneOfEach([changed, deleted]))).toEqual(['lines.1.item_id']);
  });

  it('an order reads the prices of all its items in one transaction, while other requests change them', async () => {
    const [first, second, ...between] = (await createPriced(...Array<number>(50).fill(1))) as [Item, Item, ...Item[]];
    const reprice = async (): Promise<void> => {
      for (let price = 2; price <= 40; price += 1) {
        for (const { id } of [first, second]) await admin.put(`/items/${id}`, { name: `At ${price}`, price });
      }
    };
    const buy = async (): Promise<void> => {
      for (let n = 0; n < 20; n += 1) {
        const { lines, total } = await placeOrder(ada, first, ...between, second);
        const [a, b] = [lines.at(0)?.unit_price ?? NaN, lines.at(-1)?.unit_price ?? NaN];
        // The first price is at most one step ahead, because the test always changes it before the second.
        expect([0, 1]).toContain(a - b);
        expect([lines.at(0)?.name, lines.at(-1)?.name, total]).toEqual([`At ${a}`, `At ${b}`, a + b + between.length]);
      }
    };
    await Promise.all([reprice(), buy(), buy(), buy()]);
  });

  it('an order of an item that is deleted concurrently has the price before the deletion, or is 422', async () => {
    const items = await createPriced(...Array<number>(8).fill(5));
    const answers = await Promise.all(
      items.flatMap((item) => [
        ada.client.post(ada.path, oneOfEach([mug, item])),
        deleteItem(item.id).then(() => undefined),
        ada.client.post(ada.path, oneOfEach([item])),
      ]),
    );
    for (const answer of answers.flatMap((answer) => answer ?? [])) {
      expectStatus(answer, 201, 422);
      if (answer.status === 201)
        expect(orderOf(answer, 201).lines.at(-1)).toMatchObject({ name: 'At 5', unit_price: 5 });
    }
  });

  it('every line’s item exists, else 422 naming the line', async () => {
    const lines = [mug.id, UNKNOWN_ID, 'x', mug.id.toUpperCase()].map((id) => ({ item_id: id, quantity: 1 }));
    expect(await refused({ lines })).toEqual(['lines.1.item_id', 'lines.2.item_id']);
  });

  it('An item without a price cannot be ordered: 422 naming the line', async () => {
    const idea = await createItem({ price: null });
    const error = errorOf(await ada.client.post(ada.path, oneOfEach([mug, idea])), 422);
    expect(fieldsOf(error)).toEqual(['lines.1.item_id']);
    expect(error.error).toContain('without a price');
  });

  it.each([
    ['none', { lines: [] }, ['lines']],
    ['no member', {}, ['lines']],
    ['of another type', { lines: 'all' }, ['lines']],
    ['without quantity', { lines: [{ item_id: 'x' }] }, ['lines.0.quantity']],
    ['of nothing', { lines: [{ item_id: 'x', quantity: 0 }] }, ['lines.0.quantity']],
    ['of too much', { lines: [{ item_id: 'x', quantity: 10_001 }] }, ['lines.0.quantity']],
    ['too many', { lines: Array(101).fill({ item_id: 'x', quantity: 1 }) }, ['lines']],
    ['with a typing error', { lines: [{ item_id: 'x', quantity: 1, qty: 1 }], note: '' }, ['lines.0.qty', 'note']],
  ])('lines: %s are 422, naming the field', async (_title, body, fields) => {
    expect(await refused(body)).toEqual(fields);
  });

  it('1–100 lines of quantity 1–10000 are accepted, also of one item', async () => {
    const lines = Array(100).fill({ item_id: lamp.id, quantity: 10_000 }) as object[];
    const order = orderOf(await ada.client.post(ada.path, { lines }), 201);
    expect([order.lines.length, order.total]).toEqual([100, 290_000]);
  });

  it('total ≤ 999999999.99, else 422', async () => {
    const [all, cent] = (await createPriced(999_999_999.99, 0.01)) as [Item, Item];
    expect((await placeOrder(ada, all)).total).toBe(999_999_999.99);
    expect(await refused(oneOfEach([all, cent]))).toEqual(['lines']);
    expect(await refused({ lines: Array(100).fill({ item_id: all.id, quantity: 10_000 }) })).toEqual(['lines']);
  });

  it('A read-only field that a client sends back is ignored', async () => {
    const order = await placeOrder(ada, mug);
    const sent = {
      ...order,
      status: 'delivered',
      total: 1,
      user_id: UNKNOWN_ID,
      lines: [{ ...order.lines[0], name: 'Mine', unit_price: 0 }],
    };
    const again = orderOf(await ada.client.post(ada.path, sent), 201);
    expect(again).toMatchObject({ user_id: ada.id, status: 'pending', total: 12.5, lines: order.lines });
  });

  it('Idempotency-Key on POST: a repeat returns the first response, even after the order has changed', async () => {
    const key = ['Idempotency-Key', randomUUID()] as const;
    const first = await ada.client.post(ada.path, oneOfEach([mug]), key);
    const { id } = orderOf(first, 201);
    expectStatus(await ada.client.post(`${ada.path}/${id}/transitions`, { to: 'cancelled' }), 201);
    const repeat = await ada.client.post(ada.path, oneOfEach([mug]), key);
    expectStatus(repeat, 201);
    expect([repeat.text, repeat.header('idempotent-replayed')]).toEqual([first.text, 'true']);
    errorOf(await ada.client.post(ada.path, oneOfEach([lamp]), key), 422);
  });

  it('A refused order leaves no record of its Idempotency-Key', async () => {
    const key = ['Idempotency-Key', randomUUID()] as const;
    errorOf(await ada.client.post(ada.path, { lines: [{ item_id: UNKNOWN_ID, quantity: 1 }] }, key), 422);
    expectStatus(await ada.client.post(ada.path, oneOfEach([mug]), key), 201);
  });

  it.each([UNKNOWN_ID, 'x', '%00', 'me'])('An unknown id returns 404: %s', async (id) => {
    expect(errorOf(await ada.client.get(`${ada.path}/${id}`), 404).code).toBe('order_not_found');
  });

  it('PUT, DELETE and other methods that orders do not have are 405 with Allow', async () => {
    const { id } = await placeOrder(ada, mug);
    for (const [target, methods, allow] of [
      [ada.path, ['PUT', 'DELETE', 'PATCH'], 'GET, HEAD, POST, OPTIONS'],
      [`${ada.path}/${id}`, ['PUT', 'DELETE', 'POST'], 'GET, HEAD, OPTIONS'],
    ] as const) {
      for (const method of methods) {
        const answer = await ada.client.send(method, target);
        errorOf(answer, 405);
        expect(answer.header('allow')).toBe(allow);
      }
      const options = await ada.client.send('OPTIONS', target);
      expect([options.status, options.header('allow')]).toEqual([204, allow]);
      expectStatus(await ada.client.head(target), 200);
    }
  });
});
