import { type Item, SCOPES } from '@items/dtos/contract';
import type { HttpClient } from '@items/testing';

import { admin } from '../harness/clients.js';
import { oauthClient, type OauthClient } from '../harness/oauth-client.js';
import { advance, createPriced, oneOfEach, orderOf, transitionOf } from '../harness/orders.js';
import { errorOf, expectStatus } from '../harness/reading.js';
import { approve, issuerOf, withToken } from '../harness/tokens.js';
import { createUser } from '../harness/users.js';

describe('§3 An application to which an administrator gave access to their orders', () => {
  let application: OauthClient;
  let client: HttpClient;
  let userId: string;
  let mug: Item;

  beforeAll(async () => {
    const scopes = SCOPES.filter((scope) => /^(orders|users:read)/.test(scope));
    application = await oauthClient(await issuerOf(), admin, { scopes });
    const { id, username } = await createUser({ role: 'admin' });
    userId = id;
    client = withToken((await approve(application, username, scopes)).access_token);
    [mug] = (await createPriced(1)) as [Item];
  });
  afterAll(() => application.close());

  it('reads only the orders of this user', async () => {
    const { id: other } = await createUser();
    expectStatus(await client.get('/users/me/orders'), 200);
    for (const target of [`/users/${other}/orders`, '/orders', `/orders?user_id=${userId}`]) {
      expect([target, errorOf(await client.get(target), 403).code]).toEqual([target, 'not_owner']);
    }
  });

  it('places and confirms an order of this user, and neither ships nor delivers it', async () => {
    const { id } = orderOf(await client.post('/users/me/orders', oneOfEach([mug])), 201);
    const order = `/users/${userId}/orders/${id}`;
    const target = `${order}/transitions`;
    expect(transitionOf(await client.post(target, { to: 'confirmed' }))).toMatchObject({ to: 'confirmed' });
    expect(errorOf(await client.post(target, { to: 'shipped' }), 403).code).toBe('staff_only');
    await advance(order, 'shipped');
    expect(errorOf(await client.post(target, { to: 'delivered' }), 403).code).toBe('staff_only');
  });

  it('cancels an order of this user', async () => {
    const { id } = orderOf(await client.post('/users/me/orders', oneOfEach([mug])), 201);
    const answer = await client.post(`/users/${userId}/orders/${id}/transitions`, { to: 'cancelled' });
    expect(transitionOf(answer)).toMatchObject({ to: 'cancelled' });
  });
});
