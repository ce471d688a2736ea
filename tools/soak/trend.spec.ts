import { growthOf, slopeOf } from './trend.ts';

describe('The trend of a soak', () => {
  const line = (bytes: (minute: number) => number) =>
    Array.from({ length: 31 }, (_, minute) => ({ minute, bytes: bytes(minute) }));

  it('is the slope, not affected by a few odd samples', () => {
    expect(slopeOf(line((minute) => 100 + 7 * minute + (minute % 9 === 0 ? 5000 : 0)))).toBeCloseTo(7);
  });

  it('ignores the warm-up, in which caches fill', () => {
    const { grownBytes, minutes } = growthOf(line((minute) => Math.min(minute, 9) * 1000));
    expect([grownBytes, minutes]).toEqual([0, 21]);
  });
});
