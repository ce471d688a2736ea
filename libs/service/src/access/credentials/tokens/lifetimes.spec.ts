import { formatDuration } from './lifetimes.js';

describe('A lifetime in words', () => {
  it.each([
    [1, '1 second'],
    [60, '1 minute'],
    [90, '90 seconds'],
    [900, '15 minutes'],
    [7200, '2 hours'],
    [2_592_000, '30 days'],
  ])('%i s: %s', (seconds, words) => expect(formatDuration(seconds)).toBe(words));
});
