import { median } from '../bench/statistics.ts';

interface Sample {
  minute: number;
  bytes: number;
}

/**
 * Computes the median of the slopes between all pairs (Theil–Sen) in bytes a minute, which is robust against outliers.
 */
export function slopeOf(samples: readonly Sample[]): number {
  const slopes = samples.flatMap((from, index) =>
    samples.slice(index + 1).map((to) => (to.bytes - from.bytes) / (to.minute - from.minute)),
  );
  return median(slopes);
}

/** Share of the time to ignore, because caches fill and V8 compiles code. */
const WARM_UP_SHARE = 0.3;

/** Computes the growth of the live heap after the warm-up: the slope, multiplied by the measured minutes. */
export function growthOf(samples: readonly Sample[]): { grownBytes: number; minutes: number } {
  const endMinute = samples.at(-1)?.minute ?? 0;
  const measured = samples.filter(({ minute }) => minute >= endMinute * WARM_UP_SHARE);
  const minutes = endMinute - (measured[0]?.minute ?? endMinute);
  return { grownBytes: slopeOf(measured) * minutes, minutes };
}
