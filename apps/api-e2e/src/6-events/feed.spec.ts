import { admin } from '../harness/clients.js';
import { about, caughtUp, endOfFeed, eventsAfter, eventsOf, readEvents } from '../harness/events.js';
import { createItem, createItems, deleteItem } from '../harness/items.js';
import { linksOf } from '../harness/link.js';
import { errorOf, expectStatus } from '../harness/reading.js';

describe('§6.1 GET /events', () => {
  let after: string;
  let ids: string[];

  beforeAll(async () => {
    after = await endOfFeed();
    ids = (await createItems(Array.from({ length: 5 }, (_, index) => ({ name: `E${String(index)}` })))).map(
      ({ id }) => id,
    );
    await caughtUp();
  });

  it('lists oldest first, and the exact reverse with sort=-timestamp', async () => {
    const forward = (await readEvents(`after=${after}&limit=100`)).events;
    // All pages, because other specs write as well, and their events come first.
    const backward = await eventsAfter(after, '&sort=-timestamp');
    expect(about(forward, ...ids).map(({ data }) => data.object['id'])).toEqual(ids);
    expect(backward.filter(({ id }) => forward.some((event) => event.id === id))).toEqual(forward.toReversed());
    expect((await readEvents(`after=${after}&limit=100&sort=timestamp`)).events.slice(0, forward.length)).toEqual(
      forward,
    );
  });

  it('pages by next_cursor and Link, to where the feed ended at the first page', async () => {
    const first = await admin.get(`/events?after=${after}&type=item.created&limit=2`);
    const page = eventsOf(first);
    expect(page).toMatchObject({ limit: 2, after: page.events[1]?.id });
    await createItem({ name: 'Late' });
    const { next } = linksOf(first);
    const second = eventsOf(await admin.get(next ?? ''));
    expect(second.events[0]?.id).not.toBe(page.events[1]?.id);
    const all = await eventsAfter(after, '&type=item.created');
    const walked = [...page.events, ...second.events];
    expect(all.slice(0, walked.length)).toEqual(walked);
    expectStatus(await admin.get(linksOf(await admin.get(next ?? '')).first ?? ''), 200);
  });

  it('begins after a position or an event, so that a client reads on without gap or repetition', async () => {
    const all = await eventsAfter(after);
    // Other tests write as well, so later events are not compared.
    expect((await eventsAfter(all[1]?.id ?? '')).slice(0, all.length - 2)).toEqual(all.slice(2));
    const { after: end, events } = await readEvents(`after=${all.at(-1)?.id ?? ''}`);
    const { id } = await createItem();
    expect(about(await eventsAfter(end), id)).toHaveLength(1);
    expect(events.concat(await eventsAfter(end)).length).toBeGreaterThan(0);
  });

  it('filters by kinds and by resource', async () => {
    await deleteItem(ids[4] ?? '');
    const ofOne = await eventsAfter(after, `&object_id=${ids[4] ?? ''}`);
    expect(ofOne.map(({ type }) => type)).toEqual(['item.created', 'item.deleted']);
    expect(await eventsAfter(after, `&object_id=${ids[4] ?? ''}&type=item.deleted,user.*`)).toEqual([ofOne[1]]);
    const kinds = new Set((await eventsAfter(after, '&type=item.*')).map(({ type }) => type.split('.')[0]));
    expect(kinds).toEqual(new Set(['item']));
  });

  it('GET /events/{id} shows one, with its ETag', async () => {
    const [event] = about(await eventsAfter(after), ids[0] ?? '');
    const answer = await admin.get(`/events/${event?.id ?? ''}`);
    expectStatus(answer, 200);
    expect(answer.json()).toEqual(event);
    const known = await admin.get(`/events/${event?.id ?? ''}`, ['If-None-Match', answer.header('etag') ?? '']);
    expectStatus(known, 304);
  });

  it.each(['01890000-0000-7000-8000-000000000005', 'no-id', '%00'])('GET /events/%s is 404', async (id) => {
    expect(errorOf(await admin.get(`/events/${id}`), 404).code).toBe('event_not_found');
  });

  it.each([
    ['page=1', /cursor style only/],
    ['per_page=5', /cursor style only/],
    ['type=item.exploded', /"type" must be one of/],
    ['type=item', /"type"/],
    ['type=', /"type"/],
    ['type=*', /"type"/],
    ['wait=21', /from 0 to 20/],
    ['wait=-1', /"wait"/],
    ['wait=1.5', /"wait"/],
    ['wait=1&sort=-timestamp', /"wait"/],
    ['limit=0', /"limit"/],
    ['limit=x', /"limit"/],
    ['sort=type', /"sort"/],
    ['after=yesterday', /"after"/],
    ['object_id=mug', /"object_id"/],
    ['colour=red', /"colour"/],
    ['wait=1&wait=1', /more than once/],
  ])('?%s is 400 and says why', async (query, sentence) => {
    const error = errorOf(await admin.get(`/events?${query}`), 400);
    expect(error.code).toBe('invalid_query');
    expect(error.error).toMatch(sentence);
  });

  it('refuses a cursor of another list, and a position after the end of the feed', async () => {
    const { next_cursor: cursor = '' } = await readEvents(`after=${after}&limit=1`);
    expect(errorOf(await admin.get(`/events?sort=-timestamp&cursor=${cursor}`), 400).code).toBe('invalid_cursor');
    expect(errorOf(await admin.get('/events?cursor='), 400).code).toBe('invalid_cursor');
    expect(errorOf(await admin.get(`/items?cursor=${cursor}`), 400).code).toBe('invalid_cursor');
    const never = 'ffffffff-ffff-7000-8000-000000000000';
    expect(errorOf(await admin.get(`/events?after=${never}`), 400).code).toBe('expired_cursor');
  });

  it('is read only', async () => {
    for (const target of ['/events', `/events/${ids[0] ?? ''}`]) {
      for (const method of ['POST', 'PUT', 'DELETE']) expectStatus(await admin.send(method, target, { json: {} }), 405);
    }
  });
});
