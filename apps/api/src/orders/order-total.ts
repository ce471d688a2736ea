import type { OrderLine } from '@items/dtos/contract';
import { fromCents, MAX_AMOUNT, toCents, ValidationError } from '@items/conventions';

const MAX_CENTS = BigInt(toCents(MAX_AMOUNT));

/** The total of an order exceeds the maximum amount. SPEC §2.3 */
export const TOTAL_TOO_LARGE = new ValidationError([
  {
    field: 'lines',
    code: 'total_out_of_range',
    message: `"lines" must come to a total of at most ${String(MAX_AMOUNT)}.`,
  },
]);

/**
 * Adds up the lines of an order. Calculates exactly, because the sum in cents can exceed the precision of a double.
 * @throws {ValidationError} 422: the total exceeds the maximum amount.
 */
export function totalOf(lines: readonly Pick<OrderLine, 'quantity' | 'unit_price'>[]): number {
  const total = lines.reduce(
    (sum, { quantity, unit_price: price }) => sum + BigInt(quantity) * BigInt(toCents(price)),
    0n,
  );
  if (total > MAX_CENTS) throw TOTAL_TOO_LARGE;
  return fromCents(Number(total));
}
