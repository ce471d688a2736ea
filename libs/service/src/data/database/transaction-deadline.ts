import { databaseUnavailable } from './database-unavailable.js';

/** Timeouts are rounded down to this step, because Node maintains a list of timers for each duration. */
const STEP_MS = 100;

export function timeLeft(deadlineMs: number): number {
  const leftMs = deadlineMs - performance.now();
  return leftMs < STEP_MS ? Math.max(1, leftMs) : Math.floor(leftMs / STEP_MS) * STEP_MS;
}

/** Rejects at the deadline, even while the work waits for something other than the database. */
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
