import { AttemptFailure } from './attempt.js';

/** Waits for work up to a time limit, even if the work ignores its signal. @throws {AttemptFailure} `timeout` */
export function withDeadline<T>(ms: number, work: (deadline: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = new AbortController();
  const working = work(deadline.signal);
  return withTimeout(ms, working).catch((error: unknown) => {
    deadline.abort(error);
    throw error;
  });
}

/** Waits like {@link withDeadline}, for work that receives no signal. @throws {AttemptFailure} `timeout` */
export function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new AttemptFailure('timeout', 'The time limit has passed.')), ms);
    void work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
