import { setTimeout as sleep } from 'node:timers/promises';

const REST_MS = 100;

/**
 * Limits work to less than ten runs a second: all calls before the next run share it. No call gets a result that is
 * older than the call.
 * @param rest pause between two runs.
 */
export function sparingly<T>(
  work: () => Promise<T>,
  rest: () => Promise<unknown> = () => sleep(REST_MS),
): () => Promise<T> {
  let rested: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;

  const turn = async (): Promise<T> => {
    await rested;
    next = undefined;
    const done = work();
    rested = done.then(rest, rest);
    return done;
  };
  return () => (next ??= turn());
}
