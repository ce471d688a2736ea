/** @typedef {{ lower: number, median: number, upper: number }} Spread the median of the rounds and their quartiles. */

/** @param {readonly number[]} values @returns {Spread} */
export function spreadOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return { lower: quantile(sorted, 0.25), median: quantile(sorted, 0.5), upper: quantile(sorted, 0.75) };
}

/** @param {readonly number[]} values */
export function median(values) {
  return spreadOf(values).median;
}

/** Interpolates between two values. @param {readonly number[]} sorted @param {number} share */
function quantile(sorted, share) {
  const place = (sorted.length - 1) * share;
  const [below = Number.NaN, above = below] = sorted.slice(Math.floor(place), Math.floor(place) + 2);
  return below + (above - below) * (place - Math.floor(place));
}
