import { setTimeout as sleep } from 'node:timers/promises';

/** Rows that one transaction deletes at most: no writer waits long for it. */
export const BATCH = 200;

/**
 * Deletes until there is nothing left. Half of the time belongs to others.
 * @param deleteSome at most {@link BATCH} rows; returns how many they were.
 * @param stop ends it early, between two batches.
 * @returns rows deleted.
 */
export async function inBatches(deleteSome: () => Promise<number>, stop?: AbortSignal): Promise<number> {
  let deleted = 0;
  while (stop?.aborted !== true) {
    const begunAt = performance.now();
    const batch = await deleteSome();
    deleted += batch;
    if (batch < BATCH) break;
    await sleep(performance.now() - begunAt);
  }
  return deleted;
}
