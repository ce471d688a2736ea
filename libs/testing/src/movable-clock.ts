import type * as globals from '@jest/globals';

// Only types, because Jest is not installed where the service merely runs.
declare const jest: typeof globals.jest;

/** Not faked, because connections and databases need real time. */
const REAL = [
  'performance',
  'hrtime',
  'nextTick',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

/**
 * Stops the clock of this process during the work, so that a lifetime of seconds costs no time.
 * @param work receives a function that moves the clock forward, in milliseconds.
 * @param startMs initial time, in milliseconds since the epoch. Default: now.
 */
export async function withMovableClock<T>(
  work: (pass: (ms: number) => void) => Promise<T>,
  startMs = Date.now(),
): Promise<T> {
  const startedMs = performance.now();
  jest.useFakeTimers({ now: startMs, doNotFake: [...REAL] });
  // Jest's own clock would begin at zero, before all earlier measurements.
  const monotonic = jest.spyOn(performance, 'now').mockImplementation(() => startedMs + Date.now() - startMs);
  try {
    return await work((ms) => {
      jest.advanceTimersByTime(ms);
    });
  } finally {
    monotonic.mockRestore();
    jest.useRealTimers();
  }
}
