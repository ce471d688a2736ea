import { randomUUID } from 'node:crypto';

import { admin, clientWith } from '../harness/clients.js';
import { about, endOfFeed, eventsAfter, readEvents } from '../harness/events.js';
import { errorOf, expectStatus } from '../harness/reading.js';
import { createUser, withBasic } from '../harness/users.js';
import { memberOf, type CollectionUnderTest } from './collection-under-test.js';

const VERBS = ['created', 'updated', 'deleted'];

/** §6: the events of a collection and their readers, or the absence of events. */
export function eventRules(collection: CollectionUnderTest): void {
  const { events: subject } = collection.spec;
  if (subject === undefined) silenceRules(collection);
  else tellingRules(collection, subject);
}

function silenceRules(collection: CollectionUnderTest): void {
  it('§6.1 A collection without events adds nothing to the feed', async () => {
    const after = await endOfFeed();
    const member = await collection.create();
    memberOf(await admin.put(collection.target(member), collection.body(1)));
    expectStatus(await admin.delete(collection.target(member)), 204);
    expect(about(await eventsAfter(after), member.id)).toEqual([]);
  });
}

function tellingRules(collection: CollectionUnderTest, subject: string): void {
  const kinds = VERBS.map((verb) => `${subject}.${verb}`);
  const pattern = `${subject}.*`;

  describe('§6 Events', () => {
    it('a committed write creates one event with the changes; a refused or repeated write creates none', async () => {
      const after = await endOfFeed();
      const key = ['Idempotency-Key', randomUUID()] as const;
      const body = collection.body(1);
      const created = memberOf(await admin.post(collection.path, body, key), 201);
      memberOf(await admin.post(collection.path, body, key), 201);
      const target = collection.target(created);
      errorOf(await admin.put(target, collection.body(2), ['If-Match', '"another"']), 412);
      errorOf(await admin.put(target, collection.body(2, { unknown_field: 1 })), 422);
      const replaced = memberOf(await admin.put(target, collection.body(2)));
      expectStatus(await admin.delete(target), 204);
      errorOf(await admin.delete(target), 404);
      const told = about(await eventsAfter(after, `&type=${pattern}`), created.id);
      expect(told.map(({ type, data: { object } }) => [type, object])).toEqual([
        [kinds[0], created],
        [kinds[1], replaced],
        [kinds[2], replaced],
      ]);
      const changed = Object.keys(replaced).filter(
        (field) => JSON.stringify(replaced[field]) !== JSON.stringify(created[field]),
      );
      expect(told.map(({ data: { previous } }) => previous)).toEqual([
        undefined,
        Object.fromEntries(changed.map((field) => [field, created[field]])),
        undefined,
      ]);
    });

    it('callers who may read the members may read their events; others get 403', async () => {
      const reader = collection.isOwned ? admin : await clientWith(collection.read);
      const { id } = await collection.create();
      const seen = (await readEvents(`object_id=${id}&wait=20`, reader)).events;
      expect(seen.map(({ type }) => type)).toEqual([kinds[0]]);
      const other = await clientWith(collection.write);
      for (const kind of [pattern, kinds[0]]) {
        const answer = await other.get(`/events?type=${kind}`);
        expect(errorOf(answer, 403).code).toBe('insufficient_scope');
      }
      const without = await clientWith(collection.read === 'items:read' ? 'users:read' : 'items:read');
      const refused = await without.get(`/events?type=${pattern}`);
      expect(refused.header('www-authenticate')).toContain(`scope="${collection.read}"`);
      expect((await readEvents(`object_id=${id}`, without)).events).toEqual([]);
      expect(errorOf(await admin.get(`/events?type=${subject}.exploded`), 400).code).toBe('invalid_query');
    });

    if (collection.isOwned) ownEventRule(collection, kinds);

    it('webhooks can subscribe to its kinds, and the document lists them', async () => {
      const input = { url: 'https://hooks.example.com/items', events: [pattern, ...kinds], disabled: true };
      const webhook = memberOf(await admin.post('/webhooks', input), 201);
      expect(webhook['events']).toEqual(input.events);
      expectStatus(await admin.delete(`/webhooks/${webhook.id}`), 204);
      const { webhooks } = (await admin.get('/openapi.json')).json() as { webhooks: object };
      expect(Object.keys(webhooks)).toEqual(expect.arrayContaining(kinds));
    });
  });
}

function ownEventRule(collection: CollectionUnderTest, kinds: readonly string[]): void {
  it('below a user: users read the events of their own members', async () => {
    const [ada, bob] = [await createUser({ role: 'member' }), await createUser({ role: 'member' })];
    const [own, other] = [withBasic(ada.username), withBasic(bob.username)];
    const path = collection.spec.path.replace('{user_id}', 'me');
    const { id } = memberOf(await own.post(path, collection.body()), 201);
    const { events } = await readEvents(`object_id=${id}&wait=20`, own);
    expect(events.map(({ type }) => type)).toEqual([kinds[0]]);
    expect((await readEvents(`object_id=${id}`, other)).events).toEqual([]);
    expectStatus(await other.get(`/events/${String(events[0]?.id)}`), 404);
    expectStatus(await own.get(`/events/${String(events[0]?.id)}`), 200);
  });
}
