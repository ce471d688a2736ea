import { databaseUnavailable } from './database-unavailable.js';

/** Time-outs are cut to these: Node keeps a list of timers for each length, and most work begins at once. */
const STEP_MS = 100;

/** Milliseconds until a deadline on the clock of `performance`; at least one. */
export function timeLeft(deadlineMs: number): number {
  const leftMs = deadlineMs - performance.now();
  return leftMs < STEP_MS ? Math.max(1, leftMs) : Math.floor(leftMs / STEP_MS) * STEP_MS;
}

/**
 * The result of a transaction's work, which may wait for something that never comes, such as the response of another
 * server.
 * @throws {ServiceUnavailableError} 503: it was not done before the deadline.
 */
export function beforeDeadline<T>(work: Promise<T>, deadlineMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(databaseUnavailable(new Error('The transaction took too long.')));
    }, timeLeft(deadlineMs));
    work.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
