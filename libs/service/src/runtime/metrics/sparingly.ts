import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds from the end of one turn to the next. */
const REST_MS = 100;

/**
 * Does work for any callers less than ten times a second: all calls before the next turn begins share it. No call gets a
 * result that was made before it.
 * @param rest until the next turn.
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
