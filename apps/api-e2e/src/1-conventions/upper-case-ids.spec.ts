import { randomUUID } from 'node:crypto';

import type { CreatedApiKey, Item, Webhook } from '@items/dtos/contract';

import { admin, createKey } from '../harness/clients.js';
import { eventsOf, readEvents } from '../harness/events.js';
import { createItem, readItem } from '../harness/items.js';
import { createCustomer, createPriced, oneOfEach, orderOf, ordersOf, placeOrder } from '../harness/orders.js';
import { cursorPageOf, errorOf, expectStatus, itemOf } from '../harness/reading.js';
import { logIn, withToken } from '../harness/tokens.js';
import { createUser } from '../harness/users.js';

const upper = (id: string): string => id.toUpperCase();
/** An id in upper case, and with an escape: both identify the same resource. */
const escaped = (id: string): string => upper(id).replace('-', '%2d');

describe('§1 An id in upper case is the same id', () => {
  it.each([upper, escaped])('each method accepts it in the path (%#)', async (spell) => {
    const { id } = await createItem();
    const path = `/items/${spell(id)}`;
    expect(itemOf(await admin.get(path))).toEqual(await readItem(id));
    expect((await admin.head(path)).status).toBe(200);
    expect(itemOf(await admin.put(path, { name: 'Changed' })).id).toBe(id);
    expectStatus(await admin.delete(path), 204);
    errorOf(await admin.get(`/items/${id}`), 404);
  });

  it('users, keys, sessions, orders, transitions, events and records accept it in their paths', async () => {
    const customer = await createCustomer();
    const [item] = await createPriced(3);
    const order = await placeOrder(customer, item as Item);
    expect(orderOf(await customer.client.get(`/users/${upper(customer.id)}/orders/${upper(order.id)}`))).toEqual(order);
    const transitions = `/users/${upper(customer.id)}/orders/${upper(order.id)}/transitions`;
    expectStatus(await admin.post(transitions, { to: 'confirmed' }), 201);
    const user = await createUser();
    const session = await logIn(user.username);
    const own = withToken(session.access_token);
    expectStatus(await own.get(`/users/${upper(user.id)}`), 200);
    expectStatus(await own.get(`/users/${upper(user.id)}/orders`), 200);
    const { sessions } = (await own.get('/sessions')).json() as { readonly sessions: readonly { id: string }[] };
    expectStatus(await own.delete(`/sessions/${upper(sessions[0]?.id ?? '')}`), 204);
    const key: CreatedApiKey = await createKey();
    expectStatus(await admin.get(`/api-keys/${upper(key.id)}`), 200);
    const [event] = (await readEvents(`object_id=${order.id}&wait=20`)).events;
    expectStatus(await admin.get(`/events/${upper(event?.id ?? '')}`), 200);
    expectStatus(await admin.get(`/audit-events/${upper(event?.id ?? '')}`), 200);
  });

  it('an order accepts it in its body', async () => {
    const customer = await createCustomer();
    const items = await createPriced(1, 2);
    const lines = oneOfEach(items.map(({ id }) => ({ id: upper(id) })));
    const order = orderOf(await customer.client.post(customer.path, lines), 201);
    expect(order.lines.map((line) => line.item_id)).toEqual(items.map(({ id }) => id));
  });

  it('an Idempotency-Key accepts another spelling of the path and the body', async () => {
    const customer = await createCustomer();
    const [item] = await createPriced(1);
    const { id } = item as Item;
    const once = ['Idempotency-Key', randomUUID()] as const;
    const first = await customer.client.post(customer.path, oneOfEach([{ id }]), once);
    for (const spell of [upper, escaped]) {
      const path = `/users/${spell(customer.id)}/orders`;
      const repeat = await customer.client.post(path, oneOfEach([{ id: upper(id) }]), once);
      expect(repeat.header('idempotent-replayed')).toBe('true');
      expect(orderOf(repeat, 201)).toEqual(orderOf(first, 201));
    }
  });

  it('a cursor accepts it in the path and the filters to which the cursor is bound', async () => {
    const customer = await createCustomer();
    const [item] = await createPriced(1);
    for (let count = 0; count < 3; count += 1) await placeOrder(customer, item as Item);
    const page = ordersOf(await customer.client.get(`/users/${upper(customer.id)}/orders?limit=1`));
    expectStatus(await customer.client.get(`${customer.path}?limit=1&cursor=${page.next_cursor ?? ''}`), 200);
    const all = ordersOf(await admin.get(`/orders?limit=1&user_id=${upper(customer.id)}`));
    expect(all.orders.map(({ user_id: owner }) => owner)).toEqual([customer.id]);
    expectStatus(await admin.get(`/orders?limit=1&user_id=${customer.id}&cursor=${all.next_cursor ?? ''}`), 200);
    const both = ordersOf(await admin.get(`/orders?user_id=${customer.id},${upper(customer.id)}`));
    expect(both.total).toBe(3);
  });

  it('the feeds accept it in object_id, actor_id and after', async () => {
    const { id } = await createItem();
    const { id: userId, client } = await createCustomer('member', ['items:write']);
    const own = itemOf(await client.post('/items', { name: 'Own' }), 201);
    const [event] = (await readEvents(`object_id=${upper(id)}&wait=20`)).events;
    expect(event?.data.object['id']).toBe(id);
    const after = eventsOf(
      await admin.get(`/events?after=${upper(event?.id ?? '')}&object_id=${upper(own.id)}&wait=20`),
    );
    expect(after.events.map(({ data }) => data.object['id'])).toEqual([own.id]);
    const records = (await admin.get(`/audit-events?actor_id=${upper(userId)}&object_id=${own.id}&wait=20`)).json();
    expect((records as { readonly audit_events: readonly object[] }).audit_events).toHaveLength(1);
  });

  it('webhooks and deliveries accept it in their paths, and a replay in its body', async () => {
    const { id } = await createItem();
    const [event] = (await readEvents(`object_id=${id}&wait=20`)).events;
    const made = await admin.post('/webhooks', { url: 'https://hooks.example.com/', events: ['item.created'] });
    const webhook = made.json() as Webhook;
    expectStatus(await admin.get(`/webhooks/${upper(webhook.id)}`), 200);
    expectStatus(await admin.get(`/webhooks/${upper(webhook.id)}/deliveries`), 200);
    const replay = await admin.post(`/webhooks/${upper(webhook.id)}/replays`, { after: upper(event?.id ?? '') });
    expectStatus(replay, 201);
    expectStatus(await admin.delete(`/webhooks/${upper(webhook.id)}`), 204);
  });

  it('a text filter still distinguishes upper and lower case', async () => {
    const color = upper(randomUUID()).slice(0, 30);
    await createItem({ color });
    const page = cursorPageOf(await admin.get(`/items?limit=10&color=${color}`));
    expect(page.items.map((item) => item.color)).toEqual([color]);
    expect(cursorPageOf(await admin.get(`/items?limit=10&color=${color.toLowerCase()}`)).items).toEqual([]);
  });
});
