/** Maximum price or total, in the service's currency. SPEC §2.1 */
export const MAX_AMOUNT = 999_999_999.99;

/**
 * Converts an amount to whole cents. Exact for 0 – {@link MAX_AMOUNT} with at most two decimals.
 */
export function toCents(amount: number): number {
  return Math.round(amount * 100);
}

/** Converts whole cents to the nearest double, which prints with at most two decimals. */
export function fromCents(cents: number): number {
  return cents / 100;
}
