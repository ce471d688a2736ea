import type { FeedEvent } from '../../feed/event-feed.js';
import type { WebhookState } from '../definition/webhook-state.js';
import type { Dispatch } from './dispatch.js';
import { FirstAttempts } from './first-attempts.js';

const [POSITION, FIRST, SECOND] = ['01', '02', '03'];
const state = { place: POSITION, begun: SECOND } as WebhookState;
const feed = {
  segment: () =>
    Promise.resolve({ events: [FIRST, SECOND].map((id) => ({ id }) as FeedEvent), end: SECOND, more: false }),
} as unknown as Dispatch['events'];

describe('First attempts after a position that was loaded again', () => {
  let first: FirstAttempts;
  const next = (isUnrecorded = (_eventId: string) => false): string | undefined => first.next(isUnrecorded)?.eventId;
  const read = (): Promise<void> => first.read(feed, undefined, {} as never);

  beforeEach(() => {
    first = new FirstAttempts();
    first.resumeFrom(state, new Set());
  });

  it('are made for all events of the feed, in order', async () => {
    await read();
    expect([next(), next(), next()]).toEqual([FIRST, SECOND, undefined]);
  });

  it('are not made for events with a delivery or an attempt in progress', async () => {
    first.resumeFrom(state, new Set([FIRST]));
    await read();
    expect(next((eventId) => eventId === SECOND)).toBeUndefined();
  });

  it('are not made for events that got a delivery between load and read', async () => {
    first.markRecorded(FIRST);
    await read();
    expect([next(), next()]).toEqual([SECOND, undefined]);
    first.markRecorded(SECOND);
    expect(first.position()).toBe(SECOND);
  });
});
