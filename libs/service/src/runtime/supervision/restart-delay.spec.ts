import { RestartDelay } from './restart-delay.js';

describe('a worker that has ended is replaced', () => {
  it('at once', () => {
    expect(new RestartDelay().next(0)).toBe(0);
  });

  it('later and later while one after the other fails soon, by half a minute at most', () => {
    const delay = new RestartDelay();
    expect(Array.from({ length: 10 }, () => delay.next(100))).toEqual([
      0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000,
    ]);
  });

  it('at once again after one that has served for a while', () => {
    const delay = new RestartDelay();
    delay.next(100);
    delay.next(100);
    expect(delay.next(10_000)).toBe(0);
  });
});
