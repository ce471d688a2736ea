/** How much longer the long input is. */
const FACTOR = 16;
const TRIALS = 7;

/**
 * How much more one character costs in an input 16 times as long: about 1 where work is proportional to the length,
 * about 16 where it grows with its square. Times are compared with each other, within one run, so that a busy machine
 * slows down both sides; the best of several trials counts.
 * @param inputOf makes an input of about so many characters; this is not measured.
 * @param size of the short input: so large that its work can be measured.
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
