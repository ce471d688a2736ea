/** A timer for longer than this fires at once. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * A promise that is given up when the signal aborts.
 * @throws the signal's reason.
 */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (stop) signal.removeEventListener('abort', stop);
  }
}

/**
 * Runs something that ends when one of several signals aborts, or after a time. `AbortSignal.any` would do, but on
 * Node 20 a signal that lives long remembers every other one that was ever joined to it.
 */
export async function withSignals<T>(
  signals: readonly (AbortSignal | undefined)[],
  timeoutMs: number | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const ends = signals.flatMap((signal) => (signal === undefined ? [] : [linked(signal, controller)]));
  if (timeoutMs !== undefined) ends.push(timed(timeoutMs, controller));
  try {
    return await unlessAborted(run(controller.signal), controller.signal);
  } finally {
    for (const end of ends) end();
  }
}

function linked(signal: AbortSignal, controller: AbortController): () => void {
  const abort = (): void => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return () => signal.removeEventListener('abort', abort);
}

function timed(timeoutMs: number, controller: AbortController): () => void {
  const reason = new DOMException(`No whole answer within ${String(timeoutMs)} ms`, 'TimeoutError');
  const timer = setTimeout(() => controller.abort(reason), Math.min(timeoutMs, LONGEST_TIMER_MS));
  return () => clearTimeout(timer);
}
