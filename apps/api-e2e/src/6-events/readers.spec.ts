import type { Scope } from '@items/dtos/contract';

import { admin, clientWith, createKey, withKey } from '../harness/clients.js';
import { about, endOfFeed, eventsAfter, type ShownEvent } from '../harness/events.js';
import { createItem } from '../harness/items.js';
import { createByPassword, createPriced, placeOrder, type Customer } from '../harness/orders.js';
import { errorOf, expectStatus } from '../harness/reading.js';

describe('§6.1 Readers of events', () => {
  let after: string;
  let ada: Customer;
  let bob: Customer;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    after = await endOfFeed();
    [ada, bob] = [await createByPassword('member'), await createByPassword('viewer')];
    const [item] = await createPriced(2);
    const order = await placeOrder(ada, item!);
    Object.assign(ids, { ada: ada.id, bob: bob.id, item: item!.id, order: order.id });
  });

  function namesOf(events: readonly ShownEvent[]): string[] {
    const known = about(events, ...Object.values(ids));
    return known.map(({ data }) => Object.keys(ids).find((name) => ids[name] === data.object['id']) ?? '').sort();
  }

  it('an administrator sees all', async () => {
    expect(namesOf(await eventsAfter(after))).toEqual(['ada', 'bob', 'item', 'order']);
  });

  it('others see items, and their own orders and user', async () => {
    expect(namesOf(await eventsAfter(after, '', ada.client))).toEqual(['ada', 'item', 'order']);
    expect(namesOf(await eventsAfter(after, '', bob.client))).toEqual(['bob', 'item']);
    expect(await eventsAfter(after, '&type=order.*', bob.client)).toEqual([]);
    expect(await eventsAfter(after, `&object_id=${ids['order'] ?? ''}`, bob.client)).toEqual([]);
  });

  it.each<[Scope[], string[]]>([
    [['items:read'], ['item']],
    [['orders:read'], ['order']],
    [['users:read'], ['ada']],
    [
      ['orders:read', 'items:read'],
      ['item', 'order'],
    ],
  ])('a key with %j sees only the events of these scopes', async (scopes, seen) => {
    const client = withKey((await createKey({ scopes, rate_limit: null }, ada.client)).key);
    expect(namesOf(await eventsAfter(after, '', client))).toEqual(seen);
  });

  it('an event that the caller may not read is 404', async () => {
    const all = about(await eventsAfter(after), ...Object.values(ids));
    for (const { id, type, data } of all) {
      const isSeen = type.startsWith('item.') || data.object['id'] === bob.id;
      expectStatus(await bob.client.get(`/events/${id}`), isSeen ? 200 : 404);
    }
  });

  it('a credential with none of the scopes gets 403, and so does a kind without its scope', async () => {
    const other = await clientWith('items:write', 'keys:manage');
    for (const target of ['/events', `/events/${after}`]) {
      const answer = await other.get(target);
      expect(errorOf(answer, 403).code).toBe('insufficient_scope');
      // There may be further scopes, of generated collections.
      const [, scopes = ''] = /scope="([^"]*)"/.exec(answer.header('www-authenticate') ?? '') ?? [];
      expect(scopes.split(' ')).toEqual(
        expect.arrayContaining(['items:read', 'orders:read', 'users:read', 'webhooks:manage']),
      );
    }
    const items = await clientWith('items:read');
    for (const type of ['order.created', 'item.*,order.*', 'user.deleted']) {
      const answer = await items.get(`/events?type=${type}`);
      expect(errorOf(answer, 403).code).toBe('insufficient_scope');
      expect(answer.header('www-authenticate')).toContain(type.startsWith('user') ? 'users:read' : 'orders:read');
    }
    expect(errorOf(await items.get('/events?type=order.exploded'), 400).code).toBe('invalid_query');
  });

  it('a new administrator sees more on the next page', async () => {
    const eve = await createByPassword('viewer');
    expect(namesOf(await eventsAfter(after, '', eve.client))).toEqual(['item']);
    const { username } = (await admin.get(`/users/${eve.id}`)).json() as { username: string };
    expectStatus(await admin.put(`/users/${eve.id}`, { username, role: 'admin' }), 200);
    expect(namesOf(await eventsAfter(after, '', eve.client))).toEqual(['ada', 'bob', 'item', 'order']);
    await createItem();
  });
});
