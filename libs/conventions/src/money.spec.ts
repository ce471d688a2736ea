import fc from 'fast-check';

import { fromCents, MAX_AMOUNT, toCents } from './money.js';

const MAX_CENTS = 99_999_999_999;

describe('SPEC §2.1: a price is stored exactly, never as binary floating point', () => {
  it.each([
    [0, 0],
    [0.01, 1],
    [0.29, 29],
    [1.1, 110],
    [4.35, 435],
    [8.29, 829],
    [1e2, 10_000],
    [MAX_AMOUNT, MAX_CENTS],
  ])('%d is %d cents', (amount, cents) => {
    expect(toCents(amount)).toBe(cents);
    expect(fromCents(cents)).toBe(amount);
  });

  it('comes back to the cent, and shows at most two decimals, for every amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_CENTS }), (cents) => {
        const written = `${String(Math.floor(cents / 100))}.${String(cents % 100).padStart(2, '0')}`;
        expect(fromCents(cents)).toBe(Number(written));
        expect(toCents(Number(written))).toBe(cents);
      }),
    );
  });
});
