import { hasCodePoints } from './text.js';

describe('hasCodePoints', () => {
  it.each([
    ['', 0, true],
    ['', 1, false],
    ['abc', 3, true],
    ['abc', 4, false],
    ['😀😀', 2, true],
    ['😀😀', 3, false],
    ['😀😀', 4, false],
    ['\ud83d', 1, true],
  ])('%j has at least %i: %p', (text, count, expected) => {
    expect(hasCodePoints(text, count)).toBe(expected);
  });
});
