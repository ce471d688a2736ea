import { AttemptFailure } from './attempt.js';

/**
 * Waits for work until a time is over: then for nothing more, whether or not the work heeds it.
 * @param work is given the signal that tells it to end.
 * @throws {AttemptFailure} `timeout`
 */
export function withDeadline<T>(ms: number, work: (deadline: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = new AbortController();
  const working = work(deadline.signal);
  return withTimeout(ms, undefined, working).catch((error: unknown) => {
    deadline.abort(error);
    throw error;
  });
}

/**
 * The same for work that no signal reaches.
 * @param signal gives it up earlier.
 * @throws {AttemptFailure} `timeout`; and the reason of `signal`.
 */
export function withTimeout<T>(ms: number, signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const giveUp = (): void => end(() => reject(signal?.reason as Error));
    const timer = setTimeout(() => end(() => reject(new AttemptFailure('timeout', 'It took too long.'))), ms);
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      settle();
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    work.then(
      (result) => end(() => resolve(result)),
      (error: unknown) => end(() => reject(error)),
    );
  });
}
