import { FaultServer, refusal, type Fault } from '@items/testing';
import fc from 'fast-check';

import type { FollowOptions } from './events/follow.js';
import { ExpiredCursorError, ItemsNetworkError, type FollowedEvent } from './index.js';
import { clientOf, failureOf, USUAL_MS, type ClientUnderTest } from './testing/client-under-test.testing.js';
import { ModelFeed } from './testing/model-feed.testing.js';

let server: FaultServer<ModelFeed>;
beforeEach(async () => (server = await FaultServer.startInFrontOf(new ModelFeed())));
afterEach(() => server.stop());

const clientUnderTest = (): ClientUnderTest => clientOf(server as unknown as FaultServer);

/** Returns the next `count` events. */
async function taken(count: number, followed: AsyncGenerator<FollowedEvent>): Promise<FollowedEvent[]> {
  const all: FollowedEvent[] = [];
  while (all.length < count) {
    const { value, done } = await followed.next();
    if (done === true) throw new Error('The feed has ended');
    all.push(value);
  }
  return all;
}

const idsOf = (followed: readonly FollowedEvent[]): string[] => followed.map(({ event }) => event.id);
const follow = (options?: FollowOptions) => clientUnderTest().client.events.follow(options);
const unavailable: Fault = { kind: 'answer', answer: refusal(503, 'unavailable') };

describe('SPEC §6.1: events.follow', () => {
  it('returns every event once, in order, with its position', async () => {
    server.service.add(7);
    const followed = await taken(7, follow());
    expect(idsOf(followed)).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect(followed.map(({ after }) => after)).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/events?limit=100&wait=20',
      '/events?limit=100&wait=20&after=3',
      '/events?limit=100&wait=20&after=6',
    ]);
  });

  it('begins after the given position, and continues with later events', async () => {
    server.service.add(4);
    const followed = follow({ after: '2' });
    expect(idsOf(await taken(2, followed))).toEqual(['3', '4']);
    const later = taken(1, followed);
    server.service.add(1);
    expect(idsOf(await later)).toEqual(['5']);
  });

  it('filters by type and resource; the position advances past other events', async () => {
    server.service.add(1, 'item.updated');
    server.service.add(2, 'item.created');
    const places: string[] = [];
    const followed = follow({ types: ['item.updated'], objectId: 'x', onPlace: (place) => places.push(place) });
    expect(await taken(1, followed)).toEqual([{ event: server.service.events[0], after: '3' }]);
    expect(server.requests[0]?.path).toBe('/events?type=item.updated&object_id=x&limit=100&wait=20');
    server.service.add(1, 'item.updated');
    await taken(1, followed);
    expect(places).toContain('3');
  });

  it('does not immediately repeat a request to a service that does not wait', async () => {
    const { client, sleeps } = clientUnderTest();
    const followed = client.events.follow({ onPlace: () => sleeps.length === 3 && server.service.add(1) });
    await taken(1, followed);
    expect(sleeps).toEqual([1000, 1000, 1000, 1000]);
  });

  it('continues without a gap and without repetition after any fault', async () => {
    const cut = fc
      .tuple(fc.boolean(), fc.integer({ min: 0, max: 400 }))
      .map(([done, afterBytes]): Fault => ({ kind: 'reset', done, afterBytes }));
    const short = fc
      .tuple(fc.boolean(), fc.integer({ min: 0, max: 60 }))
      .map(([done, bytes]): Fault => ({ kind: 'short', done, bytes }));
    const refused = fc.constantFrom(429, 502, 503, 504).map((status): Fault => {
      return { kind: 'answer', answer: refusal(status, 'x') };
    });
    const faults = fc.array(fc.option(fc.oneof(cut, short, refused), { nil: undefined }), { maxLength: 30 });
    server.service.add(12);
    const all = server.service.events.map(({ id }) => id);
    await fc.assert(
      fc.asyncProperty(faults, async (sequence) => {
        // Wait for the first page, because `follow` throws errors that occur before it.
        server.fail(undefined, ...sequence);
        expect(idsOf(await taken(12, follow()))).toEqual(all);
      }),
      { numRuns: 60 },
    );
  });

  it('continues after an outage that is longer than all attempts, and reports it', async () => {
    server.service.add(5);
    const { client, sleeps } = clientUnderTest();
    server.setPlan((_, index) => (index > 0 && index < 10 ? unavailable : undefined));
    const faults: unknown[] = [];
    const followed = client.events.follow({ onFault: (error) => faults.push(error) });
    expect(idsOf(await taken(5, followed))).toEqual(['1', '2', '3', '4', '5']);
    expect(faults).toHaveLength(2);
    expect(sleeps).toEqual([1000, 2000, 4000, 30_000, 1000, 2000, 4000, 30_000, 1000]);
  });

  it('waits for the Retry-After of the service', async () => {
    server.service.add(4);
    const { client, sleeps } = clientUnderTest();
    server.fail(undefined, { kind: 'answer', answer: refusal(503, 'unavailable', { 'retry-after': '120' }) });
    await taken(4, client.events.follow());
    expect(sleeps).toEqual([120_000]);
  });

  it('fails like any call before its first page', async () => {
    server.setPlan(() => unavailable);
    expect(await failureOf(follow().next())).toMatchObject({ status: 503 });
    expect(server.requests).toHaveLength(4);
    server.setPlan(() => ({ kind: 'reset', done: false, afterBytes: 0 }));
    expect(await failureOf(follow().next())).toBeInstanceOf(ItemsNetworkError);
  });

  it('throws ExpiredCursorError if events are missing, even after the first page', async () => {
    server.service.add(4);
    const followed = follow();
    await taken(3, followed);
    server.service.oldest = 4;
    expect(await failureOf(followed.next())).toBeInstanceOf(ExpiredCursorError);
    expect(server.requests).toHaveLength(2);
  });

  it('does not repeat a refused request: throws a 403, even after the first page', async () => {
    server.service.add(3);
    server.fail(undefined, { kind: 'answer', answer: refusal(403, 'insufficient_scope') });
    const followed = follow();
    await taken(3, followed);
    expect(await failureOf(followed.next())).toMatchObject({ status: 403 });
  });

  it('ends immediately with its signal: during a request, before the next event, in a pause', async () => {
    server.service.add(3);
    server.setPlan((_, index) => (index > 0 ? { kind: 'stall', done: false, afterBytes: 0 } : undefined));
    const first = new AbortController();
    const followed = follow({ signal: first.signal });
    await taken(1, followed);
    first.abort(new Error('enough'));
    expect((await failureOf(followed.next())).message).toBe('enough');

    const second = new AbortController();
    const waiting = follow({ signal: second.signal });
    server.setPlan(() => {
      second.abort(new Error('enough'));
      return { kind: 'stall', done: false, afterBytes: 0 };
    });
    expect((await failureOf(waiting.next())).message).toBe('enough');

    const third = new AbortController();
    server.setPlan((_, index) => (index > 0 ? unavailable : undefined));
    const { client } = clientOf(server as unknown as FaultServer, {
      retry: { attempts: 1, sleep: () => new Promise(() => undefined) },
    });
    const pausing = client.events.follow({ signal: third.signal, onFault: () => third.abort(new Error('enough')) });
    await taken(3, pausing);
    expect((await failureOf(pausing.next())).message).toBe('enough');
  });

  it('has a timeout that is longer than the long poll', async () => {
    const timeouts: number[] = [];
    const real = globalThis.setTimeout;
    jest.spyOn(globalThis, 'setTimeout').mockImplementation((run: () => void, ms?: number) => {
      timeouts.push(ms ?? 0);
      return real(run, ms);
    });
    server.service.add(1);
    await taken(1, follow());
    await taken(1, follow({ timeoutMs: 5000 }));
    jest.restoreAllMocks();
    expect(timeouts).toEqual(expect.arrayContaining([20_000 + USUAL_MS, 25_000]));
  });

  it('throws if the position of a page with events does not advance', async () => {
    const body = { events: [{ id: '9', type: 'item.created', data: { object: {} } }], limit: 3, after: '9' };
    server.setPlan(() => ({ kind: 'answer', answer: { status: 200, body } }));
    const followed = follow();
    await taken(1, followed);
    expect(await failureOf(followed.next())).toMatchObject({ code: 'unexpected_response' });
    expect(server.requests).toHaveLength(2);
  });
});

describe('SPEC §6.3: auditEvents', () => {
  const record = { id: '9', type: 'item.deleted', actor: { type: 'user' } };
  const page = { audit_events: [record], limit: 20, after: '9' };
  beforeEach(() => server.setPlan(() => ({ kind: 'answer', answer: { status: 200, body: page } })));

  it('are listed and followed like events, with a filter for the actor', async () => {
    const { auditEvents } = clientUnderTest().client;
    expect(await auditEvents.list({ actor_id: 'admin', type: ['item.*'] })).toEqual(page);
    await auditEvents.get('9');
    const followed = auditEvents.follow({ actorId: 'admin', after: '8' });
    expect((await followed.next()).value).toEqual({ event: record, after: '9' });
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/audit-events?actor_id=admin&type=item.*',
      '/audit-events/9',
      '/audit-events?actor_id=admin&limit=100&wait=20&after=8',
    ]);
  });
});

describe('SPEC §6.1: events.list and events.get', () => {
  it('return a page with its position, and one event', async () => {
    server.service.add(2);
    const { events } = clientUnderTest().client;
    const page = await events.list({ after: '1', type: ['item.*', 'order.shipped'], sort: 'timestamp' });
    expect(page).toEqual({ events: [], limit: 3, after: '2' });
    expect(server.requests[0]?.path).toBe('/events?after=1&type=item.*%2Corder.shipped&sort=timestamp');
    expect((await events.get('2')).id).toBe('2');
    expect(await failureOf(events.get('3'))).toMatchObject({ status: 404 });
  });

  it('reject a page without a position', async () => {
    server.setPlan(() => ({ kind: 'answer', answer: { status: 200, body: { events: [] } } }));
    const error = await failureOf(clientUnderTest().client.events.list());
    expect(error).toMatchObject({ code: 'unexpected_response' });
  });

  it('narrow the type of the data by the event type', async () => {
    server.service.add(1);
    const event = await clientUnderTest().client.events.get('1');
    if (event.type === 'item.updated') expect(event.data.previous.price).toBeUndefined();
    else if (event.type === 'order.shipped') expect(event.data.object.lines).toEqual([]);
    else expect(event.data).toEqual({ object: {} });
  });
});
