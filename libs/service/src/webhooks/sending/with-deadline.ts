import { AttemptFailure } from './attempt.js';

/** Waits for work up to a time limit, even if the work ignores its signal. @throws {AttemptFailure} `timeout` */
export function withDeadline<T>(ms: number, work: (deadline: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = new AbortController();
  const working = work(deadline.signal);
  return withTimeout(ms, undefined, working).catch((error: unknown) => {
    deadline.abort(error);
    throw error;
  });
}

/**
 * As {@link withDeadline}, for work that receives no signal.
 * @param signal ends the wait earlier.
 * @throws {AttemptFailure} `timeout`; or the reason of `signal`.
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
