import { type ErrorDetail, fromCents, MAX_AMOUNT, toCents, ValidationError } from '@items/conventions';
import type { Item, OrderLine, OrderLineInput } from '@items/dtos/contract';

const MAX_CENTS = BigInt(toCents(MAX_AMOUNT));

/** 422: the total exceeds the maximum amount. SPEC §2.3 */
export const TOTAL_TOO_LARGE = new ValidationError([
  {
    field: 'lines',
    code: 'total_out_of_range',
    message: `"lines" must come to a total of at most ${String(MAX_AMOUNT)}.`,
  },
]);

/**
 * Adds the current names and prices of the items. SPEC §3
 * @throws {ValidationError} 422 with a detail for each line whose item does not exist or has no price.
 */
export function captureLines(
  lines: readonly OrderLineInput[],
  items: ReadonlyMap<string, Pick<Item, 'name' | 'price'>>,
): OrderLine[] {
  const problems: ErrorDetail[] = [];
  const captured: OrderLine[] = [];
  for (const [index, { item_id: itemId, quantity }] of lines.entries()) {
    const item = items.get(itemId);
    const price = item?.price ?? null;
    if (item === undefined) problems.push(problem(index, 'unknown_item', 'is not the id of an item.'));
    else if (price === null) problems.push(problem(index, 'no_price', 'is an item without a price.'));
    else captured.push({ item_id: itemId, name: item.name, quantity, unit_price: price });
  }
  if (problems.length > 0) throw new ValidationError(problems);
  return captured;
}

function problem(line: number, code: string, message: string): ErrorDetail {
  const field = `lines.${String(line)}.item_id`;
  return { field, code, message: `"${field}" ${message}` };
}

/** Calculates exactly: the sum in cents can exceed the precision of a double. @throws {ValidationError} 422 */
export function totalOf(lines: readonly Pick<OrderLine, 'quantity' | 'unit_price'>[]): number {
  const total = lines.reduce(
    (sum, { quantity, unit_price: price }) => sum + BigInt(quantity) * BigInt(toCents(price)),
    0n,
  );
  if (total > MAX_CENTS) throw TOTAL_TOO_LARGE;
  return fromCents(Number(total));
}
