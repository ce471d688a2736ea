import { once } from 'node:events';

import { AttemptFailure } from './attempt.js';

/**
 * Waits for work until a time is over, or a signal is aborted: then for nothing more, whether or not the work heeds it.
 * @param work is given the signal that tells it to end.
 * @throws {AttemptFailure} `timeout`; and the reason of `signal`.
 */
export async function withDeadline<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (deadline: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new AttemptFailure('timeout', 'It took too long.')), ms);
  const giveUp = (): void => deadline.abort(signal?.reason);
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([work(deadline.signal), abortionOf(deadline.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

async function abortionOf(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort');
  throw signal.reason;
}
