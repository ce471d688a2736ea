import type { FeedEvent } from '../../feed/event-feed.js';
import type { WebhookState } from '../definition/webhook-state.js';
import type { Dispatch } from './dispatch.js';
import { FirstAttempts } from './first-attempts.js';

const [PLACE, FIRST, SECOND] = ['01', '02', '03'];
const state = { place: PLACE, begun: SECOND } as WebhookState;
const feed = {
  segment: () =>
    Promise.resolve({ events: [FIRST, SECOND].map((id) => ({ id }) as FeedEvent), end: SECOND, more: false }),
} as unknown as Dispatch['events'];

describe('First attempts behind a place that was read anew', () => {
  let first: FirstAttempts;
  const next = (isUnderWay = (_eventId: string) => false): string | undefined => first.next(isUnderWay)?.eventId;
  const read = (): Promise<void> => first.read(feed, undefined, {} as never);

  beforeEach(() => {
    first = new FirstAttempts();
    first.load(state, new Set());
  });

  it('are made of all events of the feed, in order', async () => {
    await read();
    expect([next(), next(), next()]).toEqual([FIRST, SECOND, undefined]);
  });

  it('are not made of what has a delivery, or is under way', async () => {
    first.load(state, new Set([FIRST]));
    await read();
    expect(next((eventId) => eventId === SECOND)).toBeUndefined();
  });

  it('are not made of what got its delivery between the load and the read', async () => {
    first.written(FIRST);
    await read();
    expect([next(), next()]).toEqual([SECOND, undefined]);
    first.written(SECOND);
    expect(first.place()).toBe(SECOND);
  });
});
