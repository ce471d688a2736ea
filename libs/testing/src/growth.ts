/** Length of the long input, as a multiple of the short one. */
const FACTOR = 16;
const TRIALS = 7;

/**
 * Returns the cost per character of a long input, divided by that of one 16 times shorter: about 1 if the work is
 * proportional to the length, about 16 if it grows with its square. Both are measured in turn, so that a busy machine
 * slows both; the best of several trials counts.
 * @param inputOf makes an input of about this number of characters; not measured.
 * @param size of the short input: large enough to be measured.
 */
export function growth<Input>(inputOf: (size: number) => Input, work: (input: Input) => void, size = 2048): number {
  const short = Array.from({ length: FACTOR }, () => inputOf(size));
  const long = inputOf(FACTOR * size);
  let shortMs = Infinity;
  let longMs = Infinity;
  for (let trial = 0; trial < TRIALS; trial += 1) {
    shortMs = Math.min(
      shortMs,
      durationOf(() => short.forEach(work)),
    );
    longMs = Math.min(
      longMs,
      durationOf(() => work(long)),
    );
  }
  return longMs / shortMs;
}

function durationOf(work: () => void): number {
  const begin = performance.now();
  work();
  return performance.now() - begin;
}
