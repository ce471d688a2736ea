/** 36^6: what is below it is written in six digits at most. */
const SIX_DIGITS = 2_176_782_336;

/** What `toString(36)` gives for a whole number, for a fifth of its cost where the number is large, as stamps are. */
export function toBase36(number: number): string {
  if (number < SIX_DIGITS) return number.toString(36);
  const high = Math.floor(number / SIX_DIGITS);
  const low = (number - high * SIX_DIGITS).toString(36);
  return high.toString(36) + '0'.repeat(6 - low.length) + low;
}
