import { setTimeout as sleep } from 'node:timers/promises';

/** Window of the usual quota. A longer `Retry-After` has another cause: too many wrong passwords. */
const LONGEST_SECONDS = 60;

/**
 * Waits after a refusal by the quota.
 * @param retryAfter `Retry-After`, in seconds.
 * @returns whether to repeat the request.
 */
export async function waitedOut(status: number, retryAfter: string | null | undefined): Promise<boolean> {
  const seconds = Number(retryAfter ?? 1);
  if (status !== 429 || seconds > LONGEST_SECONDS) return false;
  await sleep(seconds * 1000);
  return true;
}
