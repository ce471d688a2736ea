import { WindowCounter } from './memory-throttler-storage.js';

describe('A fixed window (SPEC §8.1)', () => {
  it('starts with the first request and ends as long after it as the window is', () => {
    const counter = new WindowCounter();
    expect(counter.hit('a', 1000, 500)).toEqual({ count: 1, resetAt: 1500 });
    expect(counter.hit('a', 1000, 1499)).toEqual({ count: 2, resetAt: 1500 });
    expect(counter.hit('a', 1000, 1500)).toEqual({ count: 1, resetAt: 2500 });
  });

  it('counts each key by itself', () => {
    const counter = new WindowCounter();
    counter.hit('a', 1000, 0);
    expect(counter.hit('b', 1000, 0).count).toBe(1);
  });

  it('is deleted after its end, and no earlier, for any use of others', () => {
    const counter = new WindowCounter();
    for (let index = 0; index < 1000; index++) counter.hit(`old ${String(index)}`, 1000, 999);
    for (let nowMs = 1000; nowMs < 1999; nowMs++) expect(counter.hit('busy', 1000, nowMs).count).toBe(nowMs - 999);
    expect(counter.hit('old 0', 1000, 1998).count).toBe(2);
    for (let nowMs = 2000; nowMs < 4000; nowMs++) counter.hit('busy', 1000, nowMs);
    expect(counter.size).toBeLessThanOrEqual(2);
  });

  it('outlives shorter ones', () => {
    const counter = new WindowCounter();
    counter.hit('long', 100_000, 0);
    for (let nowMs = 0; nowMs < 99_999; nowMs += 10) counter.hit(`short ${String(nowMs)}`, 10, nowMs);
    expect(counter.hit('long', 100_000, 99_999).count).toBe(2);
  });

  it('is evicted only if it is among the least recently used', () => {
    const counter = new WindowCounter(100);
    for (let index = 0; index < 1000; index++) {
      expect(counter.hit('busy', 60_000, index).count).toBe(index + 1);
      counter.hit(`idle ${String(index)}`, 60_000, index);
      expect(counter.size).toBeLessThanOrEqual(100);
    }
  });
});
