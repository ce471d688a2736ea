/** A measurement. @typedef {{ minute: number, bytes: number }} Sample */

/**
 * Computes the median of the slopes between all pairs (Theil–Sen), which is robust against outliers.
 * @param {readonly Sample[]} samples at least two.
 * @returns {number} bytes per minute.
 */
export function slopeOf(samples) {
  const slopes = samples.flatMap((from, index) =>
    samples.slice(index + 1).map((to) => (to.bytes - from.bytes) / (to.minute - from.minute)),
  );
  const sorted = slopes.sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = low] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}

/** Share of the time in which caches fill and code is compiled. */
const WARM_UP_SHARE = 0.3;

/**
 * Computes the growth of the live heap after the warm-up.
 * @param {readonly Sample[]} samples in order.
 * @returns {{ grownBytes: number, minutes: number }} the slope, multiplied by the time after the warm-up.
 */
export function growthOf(samples) {
  const endMinute = samples.at(-1)?.minute ?? 0;
  const measured = samples.filter(({ minute }) => minute >= endMinute * WARM_UP_SHARE);
  const minutes = endMinute - (measured[0]?.minute ?? endMinute);
  return { grownBytes: slopeOf(measured) * minutes, minutes };
}
