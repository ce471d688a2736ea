import type { CreatedClient, Item, Order, Scope } from '@items/dtos/contract';
import type { HttpClient } from '@items/testing';

import { admin, anonymous } from '../harness/clients.js';
import {
  createByPassword,
  createCustomer,
  createPriced,
  oneOfEach,
  orderOf,
  ordersOf,
  placeOrder,
  transitionsOf,
  type Customer,
} from '../harness/orders.js';
import { errorOf, expectStatus } from '../harness/reading.js';

const UNKNOWN_USER = '01890000-0000-7000-8000-000000000005';

/** A client with a token of its own (client credentials). */
async function actingForItself(...scopes: readonly Scope[]): Promise<HttpClient> {
  const made = await admin.post('/clients', {
    name: 'Robot',
    redirect_uris: [],
    scopes,
    grant_types: ['client_credentials'],
  });
  expectStatus(made, 201);
  const { client_id: id, client_secret: secret } = made.json() as CreatedClient;
  const granted = await anonymous.send('POST', '/oauth/token', {
    headers: [
      ['Authorization', `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`],
      ['Content-Type', 'application/x-www-form-urlencoded'],
    ],
    body: `grant_type=client_credentials&scope=${scopes.join('+')}`,
  });
  expectStatus(granted, 200);
  return anonymous.withHeaders([
    'Authorization',
    `Bearer ${(granted.json() as { access_token: string }).access_token}`,
  ]);
}

describe('§5 Own orders, or admin', () => {
  let mug: Item;
  let ada: Customer;
  let bob: Customer;
  let order: Order;
  beforeAll(async () => {
    [mug] = (await createPriced(3)) as [Item];
    [ada, bob] = [await createCustomer(), await createCustomer()];
    order = await placeOrder(ada, mug);
  });

  /** Sends GET list, GET one, POST, GET transitions, POST transition. @param path of the orders. */
  async function statuses(client: HttpClient, whose: Customer, path = whose.path): Promise<number[]> {
    const { id } = await placeOrder({ client: admin, path: whose.path }, mug);
    const answers = [
      await client.get(path),
      await client.get(`${path}/${id}`),
      await client.post(path, oneOfEach([mug])),
      await client.get(`${path}/${id}/transitions`),
      await client.post(`${path}/${id}/transitions`, { to: 'confirmed' }),
    ];
    return answers.map(({ status }) => status);
  }

  it('missing or bad credentials are 401', async () => {
    expect(await statuses(anonymous, ada)).toEqual([401, 401, 401, 401, 401]);
  });

  it('own orders with a read-only credential: 200, and 403 for writes', async () => {
    const reader = await createCustomer('member', ['orders:read']);
    expect(await statuses(reader.client, reader)).toEqual([200, 200, 403, 200, 403]);
    expect(await statuses(reader.client, reader, '/users/me/orders')).toEqual([200, 200, 403, 200, 403]);
    const viewer = await createByPassword('viewer');
    expect(await statuses(viewer.client, viewer)).toEqual([200, 200, 403, 200, 403]);
  });

  it('own orders with a write credential', async () => {
    expect(await statuses(ada.client, ada)).toEqual([200, 200, 201, 200, 201]);
    expect(await statuses(ada.client, ada, '/users/me/orders')).toEqual([200, 200, 201, 200, 201]);
    const writer = await createCustomer('member', ['orders:write']);
    expect(await statuses(writer.client, writer)).toEqual([403, 403, 201, 403, 201]);
  });

  it('an admin reads and writes the orders of every user', async () => {
    expect(await statuses(admin, ada)).toEqual([200, 200, 201, 200, 201]);
    expect(await statuses((await createCustomer('admin')).client, ada)).toEqual([200, 200, 201, 200, 201]);
  });

  it('another user’s orders: 403, whether or not the user, or the order, exists', async () => {
    const texts = new Set<string>();
    for (const path of [ada.path, `/users/${UNKNOWN_USER}/orders`, '/users/x/orders', '/users/Me/orders']) {
      expect(await statuses(bob.client, ada, path)).toEqual([403, 403, 403, 403, 403]);
      for (const rest of ['', `/${order.id}`, `/${UNKNOWN_USER}`, '/x', `/${order.id}/transitions`]) {
        const answer = await bob.client.get(path + rest);
        expect(errorOf(answer, 403).code).toBe('not_owner');
        texts.add(answer.text);
      }
    }
    expect(texts.size).toBe(1);
  });

  it('is judged before the body is read: 403 before 413, 415, 400 and 422', async () => {
    const json = [['Content-Type', 'application/json']] as const;
    for (const target of [ada.path, `${ada.path}/${order.id}/transitions`]) {
      errorOf(await bob.client.send('POST', target, { body: '{', headers: json }), 403);
      errorOf(await bob.client.send('POST', target, { body: '{}', headers: [['Content-Type', 'text/plain']] }), 403);
      errorOf(await bob.client.post(`${target}?x=1`, {}), 403);
    }
    errorOf(await bob.client.get(`${ada.path}?page=0`), 403);
  });

  it('an order is found below its user only', async () => {
    const target = `${bob.path}/${order.id}`;
    for (const client of [bob.client, admin]) {
      errorOf(await client.get(target), 404);
      errorOf(await client.get(`${target}/transitions`), 404);
      errorOf(await client.post(`${target}/transitions`, { to: 'confirmed' }), 404);
    }
    expect(orderOf(await admin.get(`${ada.path}/${order.id}`)).status).toBe('pending');
    expect(ordersOf(await bob.client.get(bob.path))).toMatchObject({ orders: [], total: 0 });
  });

  it('a credential without a user has no me: 404 with an explanation', async () => {
    for (const rest of ['', `/${order.id}`, `/${order.id}/transitions`]) {
      const error = errorOf(await admin.get(`/users/me/orders${rest}`), 404);
      expect(error.code).toBe('user_not_found');
      expect(error.error).toContain('"me"');
    }
    errorOf(await admin.post('/users/me/orders', oneOfEach([mug])), 404);
    // 422 is checked before 404.
    errorOf(await admin.post('/users/me/orders', {}), 422);
  });

  it('a client_credentials token has no me, and reads no orders of others', async () => {
    const client = await actingForItself('orders:read', 'orders:write');
    for (const path of ['/users/me/orders', `/users/me/orders/${order.id}`]) {
      expect(errorOf(await client.get(path), 404).code).toBe('user_not_found');
    }
    errorOf(await client.post('/users/me/orders', oneOfEach([mug])), 404);
    expect(await statuses(client, ada)).toEqual([403, 403, 403, 403, 403]);
  });

  it.each([UNKNOWN_USER, 'x', '%00'])('an admin gets 404 for an unknown user: %s', async (id) => {
    for (const path of [`/users/${id}/orders`, `/users/${id}/orders/${order.id}`]) {
      errorOf(await admin.get(path), 404);
    }
    errorOf(await admin.post(`/users/${id}/orders`, oneOfEach([mug])), 404);
    errorOf(await admin.post(`/users/${id}/orders/${order.id}/transitions`, { to: 'confirmed' }), 404);
  });

  it('Deleting a user keeps its orders: then only admin reads them, and orders cannot be added', async () => {
    const gone = await createCustomer();
    const kept = await placeOrder(gone, mug);
    const target = `${gone.path}/${kept.id}`;
    expectStatus(await admin.delete(`/users/${gone.id}`), 204);
    errorOf(await gone.client.get(gone.path), 401);
    errorOf(await bob.client.get(gone.path), 403);
    expect(ordersOf(await admin.get(gone.path))).toMatchObject({ orders: [kept], total: 1 });
    expect(orderOf(await admin.get(target))).toEqual(kept);
    expect(errorOf(await admin.post(gone.path, oneOfEach([mug])), 404).code).toBe('user_not_found');
    expectStatus(await admin.post(`${target}/transitions`, { to: 'cancelled' }), 201);
    expect(transitionsOf(await admin.get(`${target}/transitions`)).total).toBe(1);
  });

  it('the orders of a deleted user who had none are 404', async () => {
    const gone = await createCustomer();
    expect(ordersOf(await admin.get(gone.path)).total).toBe(0);
    expectStatus(await admin.delete(`/users/${gone.id}`), 204);
    errorOf(await admin.get(gone.path), 404);
  });
});
