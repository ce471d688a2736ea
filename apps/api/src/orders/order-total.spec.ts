import { fromCents, MAX_AMOUNT } from '@items/conventions';
import fc from 'fast-check';

import { TOTAL_TOO_LARGE, totalOf } from './order-lines.js';

const MAX_CENTS = 99_999_999_999n;

const line = fc.record({
  quantity: fc.integer({ min: 1, max: 10_000 }),
  cents: fc.oneof(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 0, max: Number(MAX_CENTS) })),
});

describe('SPEC §2.3: an order’s total', () => {
  it.each([
    [[{ quantity: 3, unit_price: 0.1 }], 0.3],
    [[{ quantity: 3, unit_price: 1.1 }], 3.3],
    [[{ quantity: 10_000, unit_price: 0.29 }], 2900],
    [[{ quantity: 1, unit_price: 0 }], 0],
    [[{ quantity: 1, unit_price: MAX_AMOUNT }], MAX_AMOUNT],
    [
      [
        { quantity: 1, unit_price: 0.1 },
        { quantity: 1, unit_price: 0.2 },
      ],
      0.3,
    ],
  ])('the total of %j is %d', (lines, total) => {
    expect(totalOf(lines)).toBe(total);
  });

  it('is exact to the cent, or refused, for any lines', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 100 }), (drawn) => {
        const lines = drawn.map(({ quantity, cents }) => ({ quantity, unit_price: fromCents(cents) }));
        const exact = drawn.reduce((sum, { quantity, cents }) => sum + BigInt(quantity) * BigInt(cents), 0n);
        if (exact > MAX_CENTS) expect(() => totalOf(lines)).toThrow(TOTAL_TOO_LARGE);
        else expect(totalOf(lines)).toBe(fromCents(Number(exact)));
      }),
    );
  });

  it.each([
    [[{ quantity: 2, unit_price: MAX_AMOUNT }]],
    [
      [
        { quantity: 1, unit_price: MAX_AMOUNT },
        { quantity: 1, unit_price: 0.01 },
      ],
    ],
    [Array<object>(100).fill({ quantity: 10_000, unit_price: MAX_AMOUNT })],
  ] as [{ quantity: number; unit_price: number }[]][])('is at most 999999999.99, else 422', (lines) => {
    expect(() => totalOf(lines)).toThrow('"lines" must come to a total of at most 999999999.99.');
  });
});
