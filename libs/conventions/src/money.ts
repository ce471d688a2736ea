/** Maximum price or total, in the service's currency. SPEC §2.1 */
export const MAX_AMOUNT = 999_999_999.99;

/** Exact for amounts of 0 – {@link MAX_AMOUNT} with at most two decimals. */
export function toCents(amount: number): number {
  return Math.round(amount * 100);
}

/** Returns a double that prints with at most two decimals. */
export function fromCents(cents: number): number {
  return cents / 100;
}
