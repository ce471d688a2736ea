import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds from the end of one turn to the next. */
const REST_MS = 100;

/**
 * Does what anybody may ask for less than ten times a second: all who ask before the next turn begins share it. Nobody is
 * given what was made before they asked.
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
