/**
 * Computes an axis from 0, with ticks at 1, 2 or 5 times a power of ten.
 * @param {number} greatest greatest value on the axis.
 * @returns {{ end: number, ticks: number[] }}
 */
export function mostReadable(greatest) {
  const rough = greatest / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => size >= rough) ?? rough;
  const count = Math.ceil(greatest / step);
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  return { end: count * step, ticks: Array.from({ length: count + 1 }, (_, n) => Number((n * step).toFixed(digits))) };
}
