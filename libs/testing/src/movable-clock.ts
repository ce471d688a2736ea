import type * as globals from '@jest/globals';

// Jest's own, by types that are not there where the service is only run.
declare const jest: typeof globals.jest;

/** What else waits, waits as always: connections, and whatever the databases do. */
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
 * Stops the clock of this process for as long as the work takes, so that the seconds of a lifetime cost nothing.
 * @param work is given a function that moves the clock on, by milliseconds.
 * @param startMs what the clock says at first, in milliseconds since the epoch; left out: the time.
 */
export async function withMovableClock<T>(
  work: (pass: (ms: number) => void) => Promise<T>,
  startMs = Date.now(),
): Promise<T> {
  const startedMs = performance.now();
  jest.useFakeTimers({ now: startMs, doNotFake: [...REAL] });
  // Jest's own would begin at zero, before all that was measured until now.
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
