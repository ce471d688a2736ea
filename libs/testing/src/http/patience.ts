import { setTimeout as sleep } from 'node:timers/promises';

/** The window of the usual quota. What takes longer is no quota: too many wrong passwords, and nothing to wait for. */
const LONGEST_SECONDS = 60;

/**
 * Waits as long as a refusal for the quota asks.
 * @param retryAfter value of `Retry-After`, in seconds.
 * @returns whether the request is to be repeated.
 */
export async function waitedOut(status: number, retryAfter: string | null | undefined): Promise<boolean> {
  const seconds = Number(retryAfter ?? 1);
  if (status !== 429 || seconds > LONGEST_SECONDS) return false;
  await sleep(seconds * 1000);
  return true;
}
