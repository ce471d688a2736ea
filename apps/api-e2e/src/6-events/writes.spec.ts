import { API_VERSION } from '@items/dtos/contract';
import { itemInput } from '@items/testing';

import { admin } from '../harness/clients.js';
import { about, endOfFeed, eventsAfter } from '../harness/events.js';
import { createItem, deleteItem } from '../harness/items.js';
import { createCustomer, createPriced, placeOrder } from '../harness/orders.js';
import { expectStatus, itemOf } from '../harness/reading.js';
import { createUser, PASSWORD, withBasic } from '../harness/users.js';

describe('§6.1 A committed write makes exactly one event', () => {
  let after: string;
  beforeEach(async () => {
    after = await endOfFeed();
  });

  it('each creation, replacement and deletion of an item has an event with the changes', async () => {
    const created = await createItem({ name: 'Mug', price: 9.99 });
    const body = { name: 'Mug', price: 12.5 };
    const replaced = itemOf(await admin.put(`/items/${created.id}`, body));
    const again = itemOf(await admin.put(`/items/${created.id}`, body));
    await deleteItem(created.id);
    const events = about(await eventsAfter(after), created.id);
    expect(events.map(({ type, data: { object } }) => [type, object])).toEqual([
      ['item.created', created],
      ['item.updated', replaced],
      ['item.updated', again],
      ['item.deleted', again],
    ]);
    const [first, second, third, last] = events.map(({ data: { previous } }) => previous);
    expect(first).toBeUndefined();
    expect(second).toMatchObject({ price: 9.99, description: created.description });
    expect(second).not.toHaveProperty('name');
    expect(Object.keys(third ?? { none: 1 }).filter((field) => field !== 'updated_at')).toEqual([]);
    expect(last).toBeUndefined();
    expect(new Set(events.map(({ api_version: version }) => version))).toEqual(new Set([API_VERSION]));
    expect(events.map(({ timestamp }) => timestamp)).toEqual(events.map(({ timestamp }) => timestamp).sort());
  });

  it('an order, and each of its transitions', async () => {
    const customer = await createCustomer('member', ['orders:read', 'orders:write', 'items:read']);
    const order = await placeOrder(customer, ...(await createPriced(3)));
    const target = `${customer.path}/${order.id}`;
    for (const to of ['confirmed', 'shipped', 'delivered']) {
      expectStatus(await admin.post(`${target}/transitions`, { to }), 201);
    }
    expectStatus(await admin.post(`${target}/transitions`, { to: 'cancelled' }), 409);
    const second = await placeOrder(customer, ...(await createPriced(4)));
    expectStatus(await customer.client.post(`${customer.path}/${second.id}/transitions`, { to: 'cancelled' }), 201);
    const events = about(await eventsAfter(after), order.id, second.id);
    expect(events.map(({ type, data: { object } }) => [type, object['status']])).toEqual([
      ['order.created', 'pending'],
      ['order.confirmed', 'confirmed'],
      ['order.shipped', 'shipped'],
      ['order.delivered', 'delivered'],
      ['order.created', 'pending'],
      ['order.cancelled', 'cancelled'],
    ]);
    expect(events[0]?.data).toEqual({ object: order });
    expect(events[1]?.data.previous).toMatchObject({ status: 'pending' });
    expect(events[3]?.data.object).toEqual((await admin.get(target)).json());
  });

  it('a user, without personal data', async () => {
    const user = await createUser({ name: 'Ada Lovelace', email: 'ada@example.com' });
    const own = withBasic(user.username);
    const password = { current_password: PASSWORD, password: 'another one: horse' };
    expectStatus(await own.put('/users/me/password', password), 204);
    const change = { username: user.username, name: 'Countess', role: 'member', disabled: true };
    expectStatus(await admin.put(`/users/${user.id}`, change), 200);
    expectStatus(await admin.delete(`/users/${user.id}`), 204);
    const events = about(await eventsAfter(after), user.id);
    expect(events.map(({ type }) => type)).toEqual(['user.created', 'user.updated', 'user.deleted']);
    for (const { data } of events) {
      expect(Object.keys(data.object)).toEqual(['id', 'role', 'disabled', 'created_at', 'updated_at']);
    }
    expect(events[1]?.data).toMatchObject({
      object: { role: 'member', disabled: true },
      previous: { role: 'viewer', disabled: false },
    });
    const all = JSON.stringify(events);
    for (const secret of [user.username, 'Ada', 'Countess', 'example.com', PASSWORD]) expect(all).not.toContain(secret);
  });

  it('refused, rolled back and repeated writes create no event', async () => {
    const item = await createItem();
    expectStatus(await admin.put(`/items/${item.id}`, itemInput(), ['If-Match', '"other"']), 412);
    expectStatus(await admin.post('/items', { name: '' }), 422);
    expectStatus(await admin.delete('/items/01890000-0000-7000-8000-000000000005'), 404);
    const key = ['Idempotency-Key', `once-${item.id}`] as const;
    const input = itemInput({ name: 'Once' });
    const once = itemOf(await admin.post('/items', input, key), 201);
    expect(itemOf(await admin.post('/items', input, key), 201)).toEqual(once);
    const { id, username } = await createUser();
    expectStatus(await admin.post('/users', { username, password: PASSWORD }), 409);
    const events = await eventsAfter(after);
    expect(about(events, item.id, once.id, id).map(({ type }) => type)).toEqual([
      'item.created',
      'item.created',
      'user.created',
    ]);
  });
});
