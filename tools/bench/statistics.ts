/** Median and quartiles. */
export interface Spread {
  lower: number;
  median: number;
  upper: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return { lower: quantile(sorted, 0.25), median: quantile(sorted, 0.5), upper: quantile(sorted, 0.75) };
}

export function median(values: readonly number[]) {
  return spreadOf(values).median;
}

function quantile(sorted: readonly number[], share: number) {
  const place = (sorted.length - 1) * share;
  const [below = Number.NaN, above = below] = sorted.slice(Math.floor(place), Math.floor(place) + 2);
  return below + (above - below) * (place - Math.floor(place));
}
