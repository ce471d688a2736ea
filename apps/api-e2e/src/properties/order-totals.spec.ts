import type { Item } from '@items/dtos/contract';
import { fromCents } from '@items/conventions';
import fc from 'fast-check';

import { createCustomer, createPriced, orderOf, type Customer } from '../harness/orders.js';
import { errorOf, fieldsOf } from '../harness/reading.js';

const MAX_CENTS = 99_999_999_999n;

describe('§2 An order’s total is exact to the cent', () => {
  const prices = [0, 1, 29, 110, 999, 1995, 8_29, 1_234_567, 99_999_999_999];
  let items: Item[];
  let ada: Customer;
  beforeAll(async () => {
    ada = await createCustomer();
    items = await createPriced(...prices.map(fromCents));
  });

  it('any order has the exact total, or is 422 above 999999999.99', async () => {
    const line = fc.record({
      item: fc.oneof({ weight: 9, arbitrary: fc.nat(prices.length - 2) }, fc.constant(prices.length - 1)),
      quantity: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 10_000 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 100 }), async (drawn) => {
        const lines = drawn.map(({ item, quantity }) => ({ item_id: items[item]?.id, quantity }));
        const cents = drawn.reduce((sum, { item, quantity }) => sum + BigInt(quantity * (prices[item] ?? 0)), 0n);
        const answer = await ada.client.post(ada.path, { lines });
        if (cents > MAX_CENTS) expect(fieldsOf(errorOf(answer, 422))).toEqual(['lines']);
        else
          expect(orderOf(answer, 201).total).toBe(Number(`${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`));
      }),
      { numRuns: 60 },
    );
  });
});
