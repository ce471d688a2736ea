/** Maximum delay of `setTimeout`. A longer timer fires immediately. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Waits for a promise, but rejects when the signal aborts.
 * @throws The abort reason of the signal.
 */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let end: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    end = onAbort(signal, () => reject(signal.reason as Error));
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    end?.();
  }
}

/** Calls a listener on abort, or now if the signal has already aborted. @returns A function that removes the listener. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/**
 * Runs a function with a signal that aborts with any of the given signals, or after a timeout. On Node 20
 * `AbortSignal.any` leaks: a long-lived signal retains every signal that was combined with it.
 */
export async function withSignals<T>(
  signals: readonly (AbortSignal | undefined)[],
  timeoutMs: number | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timeOut = (): void =>
    controller.abort(new DOMException(`No whole answer within ${String(timeoutMs)} ms`, 'TimeoutError'));
  const timer = timeoutMs === undefined ? undefined : setTimeout(timeOut, Math.min(timeoutMs, LONGEST_TIMER_MS));
  const ends = signals.map((signal) => signal && onAbort(signal, () => controller.abort(signal.reason)));
  try {
    return await unlessAborted(run(controller.signal), controller.signal);
  } finally {
    clearTimeout(timer);
    for (const end of ends) end?.();
  }
}
