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
 */
export async function withMovableClock<T>(work: (pass: (ms: number) => void) => Promise<T>): Promise<T> {
  const startMs = Date.now();
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
