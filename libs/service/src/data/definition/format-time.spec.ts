import fc from 'fast-check';

import { formatTime } from './column-codecs.js';

describe('formatTime', () => {
  it('gives what a Date gives, for every millisecond that a Date knows', () => {
    const limitMs = 8_640_000_000_000_000;
    fc.assert(
      fc.property(fc.integer({ min: -limitMs, max: limitMs }), (ms) => {
        expect(formatTime(ms)).toBe(new Date(ms).toISOString());
      }),
    );
  });

  it.each([0, -1, 999, 1000, 86_399_999, 86_400_000, 253_402_300_799_999, 253_402_300_800_000])('also for %d', (ms) => {
    expect(formatTime(ms)).toBe(new Date(ms).toISOString());
  });

  it('gives the same for a day that it has seen before', () => {
    expect(formatTime(1_763_000_000_007)).toBe('2025-11-13T02:13:20.007Z');
    expect(formatTime(1_763_000_001_070)).toBe('2025-11-13T02:13:21.070Z');
  });

  it('refuses what is no time, as a Date does', () => {
    expect(() => formatTime(Number.NaN)).toThrow(RangeError);
  });
});
