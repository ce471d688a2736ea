/** A worker that has lived so long did not fail because it was started. */
const STABLE_MS = 10_000;
const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/**
 * How long to wait before a worker is replaced: not at all as a rule, and longer and longer while one after the other
 * fails soon, so that starting them does not keep the machine busy.
 */
export class RestartDelay {
  private failures = 0;

  /** @param livedMs how long the worker had been there. @returns milliseconds. */
  next(livedMs: number): number {
    this.failures = livedMs >= STABLE_MS ? 1 : this.failures + 1;
    return this.failures === 1 ? 0 : Math.min(FIRST_MS * 2 ** (this.failures - 2), LONGEST_MS);
  }
}
