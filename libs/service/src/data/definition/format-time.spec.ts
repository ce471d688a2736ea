import fc from 'fast-check';

import { formatTime } from './column-codecs.js';

describe('formatTime', () => {
  it('returns the same text as Date for random times of its whole range', () => {
    const limitMs = 8_640_000_000_000_000;
    fc.assert(
      fc.property(fc.integer({ min: -limitMs, max: limitMs }), (ms) => {
        expect(formatTime(ms)).toBe(new Date(ms).toISOString());
      }),
    );
  });

  it.each([0, -1, 999, 1000, 86_399_999, 86_400_000, 253_402_300_799_999, 253_402_300_800_000])(
    'returns the text of toISOString() for %d',
    (ms) => {
      expect(formatTime(ms)).toBe(new Date(ms).toISOString());
    },
  );

  it('returns the same text for a cached day', () => {
    expect(formatTime(1_763_000_000_007)).toBe('2025-11-13T02:13:20.007Z');
    expect(formatTime(1_763_000_001_070)).toBe('2025-11-13T02:13:21.070Z');
  });

  it('throws for an invalid time, as Date does', () => {
    expect(() => formatTime(Number.NaN)).toThrow(RangeError);
  });
});
