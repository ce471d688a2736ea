import { admin, anonymous, clientWith } from '../harness/clients.js';
import { createByPassword, createCustomer, ordersOf } from '../harness/orders.js';
import { errorOf, expectStatus } from '../harness/reading.js';

describe('§3 GET /orders is for admin with orders:read, and read only', () => {
  it('401 without a credential; 403 for all but administrators, also for a user without orders', async () => {
    errorOf(await anonymous.get('/orders'), 401);
    for (const { client, id } of [await createCustomer(), await createByPassword('viewer')]) {
      for (const target of ['/orders', `/orders?user_id=${id}`, '/orders?page=0']) {
        expect(errorOf(await client.get(target), 403).code).toBe('not_owner');
      }
    }
  });

  it('an administrator whose credential lacks orders:read: 403 that names the scope', async () => {
    const { client } = await createCustomer('admin', ['orders:write', 'users:read']);
    expect(errorOf(await client.get('/orders'), 403).error).toContain('orders:read');
    errorOf(await (await clientWith('items:read')).get('/orders'), 403);
  });

  it('an administrator, by a key, a password, or the operator’s key', async () => {
    for (const client of [
      (await createCustomer('admin', ['orders:read'])).client,
      (await createByPassword('admin')).client,
      await clientWith('orders:read'),
      admin,
    ]) {
      expect(ordersOf(await client.get('/orders?per_page=1'))).toMatchObject({ page: 1, per_page: 1 });
    }
    expectStatus(await admin.head('/orders'), 200);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s is 405 with Allow: GET, HEAD, OPTIONS', async (method) => {
    for (const client of [admin, anonymous]) {
      const answer = await client.send(method, '/orders');
      expect(errorOf(answer, 405).code).toBe('method_not_allowed');
      expect(answer.header('allow')).toBe('GET, HEAD, OPTIONS');
    }
  });

  it('single orders have paths only below their users: /orders/{id} is unknown', async () => {
    errorOf(await admin.get('/orders/01890000-0000-7000-8000-000000000007'), 404);
  });
});
