import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum rows per transaction, so that no writer waits long. */
export const BATCH = 200;

/**
 * Deletes in batches, and pauses after each batch for as long as the batch took.
 * @param deleteSome Deletes at most {@link BATCH} rows and returns their number.
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
