/** Largest amount of money: a price, a total. In the service's currency. SPEC §2.1 */
export const MAX_AMOUNT = 999_999_999.99;

/** An amount of money in whole cents, as it is stored. Exact for 0 – {@link MAX_AMOUNT} with at most two decimals. */
export function toCents(amount: number): number {
  return Math.round(amount * 100);
}

/** The amount that so many whole cents are: the double nearest to it, so that it shows at most two decimals. */
export function fromCents(cents: number): number {
  return cents / 100;
}
