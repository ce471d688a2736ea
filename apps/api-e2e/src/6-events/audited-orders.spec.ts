import type { AuditEvent, Item } from '@items/dtos/contract';

import { admin, createKey, withKey } from '../harness/clients.js';
import { createByPassword, createPriced, oneOfEach, orderOf, transitionOf } from '../harness/orders.js';
import { errorOf, expectStatus } from '../harness/reading.js';

describe('§6.3 The audit log records each change of an order, with its author', () => {
  let mug: Item;
  beforeAll(async () => {
    [mug] = (await createPriced(5)) as [Item];
  });

  it('a record names the key of the user, or the administrator', async () => {
    const user = await createByPassword('member');
    const { id: keyId, key } = await createKey({ scopes: ['orders:write'] }, user.client);
    const client = withKey(key);
    const { id } = orderOf(await client.post(user.path, oneOfEach([mug])), 201);
    const target = `${user.path}/${id}/transitions`;
    transitionOf(await client.post(target, { to: 'confirmed' }));
    for (const to of ['shipped', 'delivered']) transitionOf(await admin.post(target, { to }));
    errorOf(await admin.post(target, { to: 'cancelled' }), 409);
    const own = { type: 'api_key', user_id: user.id, credential_id: keyId, client_id: null };
    expect(await recordsOf(id, 4)).toEqual([
      ['order.created', own, []],
      ['order.confirmed', own, ['status']],
      ['order.shipped', expect.objectContaining({ type: 'api_key', user_id: null }), ['status']],
      ['order.delivered', expect.objectContaining({ type: 'api_key', user_id: null }), ['status']],
    ]);
  });

  it('a cancellation has a record', async () => {
    const user = await createByPassword('member');
    const { id } = orderOf(await user.client.post(user.path, oneOfEach([mug, mug])), 201);
    transitionOf(await admin.post(`${user.path}/${id}/transitions`, { to: 'cancelled' }));
    expect((await recordsOf(id, 2)).map(([type]) => type)).toEqual(['order.created', 'order.cancelled']);
  });

  /** PostgreSQL shows a record when the server has no older open transaction. */
  async function recordsOf(orderId: string, count: number): Promise<[string, unknown, readonly string[]][]> {
    let records: AuditEvent[] = [];
    for (let reads = 0; reads < 5 && records.length < count; reads += 1) {
      const wait = reads === 0 ? '' : '&wait=2';
      const answer = await admin.get(`/audit-events?object_id=${orderId}${wait}`);
      expectStatus(answer, 200);
      records = (answer.json() as { audit_events: AuditEvent[] }).audit_events;
    }
    return records.map(({ type, actor, changed }) => [type, actor, changed]);
  }
});
