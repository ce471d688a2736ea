import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import { EVENTS } from './feed-table.js';
import { FeedWatch } from './feed-watch.js';

describe('FeedWatch', () => {
  it('reads nothing once its last reader has left', async () => {
    let reads = 0;
    const read = (): Promise<object> => Promise.resolve({ end: String((reads += 1)), gap: null });
    const watch = new FeedWatch({ read } as never, undefined as never, EVENTS);
    const stays = await watch.next('0', new AbortController().signal);
    expect([stays, reads]).toEqual(['1', 1]);
    const leaving = new AbortController();
    const leaves = watch.next('1', leaving.signal);
    await yieldToEventLoop();
    leaving.abort();
    expect(await leaves).toBeUndefined();
    watch.pollSoon?.();
    while (watch.pollSoon !== undefined) await yieldToEventLoop();
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setTimeout(resolve));
    expect(reads).toBe(1);
  });
});
