import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls a condition until it is true. An error counts as false.
 * @param what for the error message: "the standby follows".
 * @throws {Error} after the limit.
 */
export async function waitUntil(what: string, isSo: () => unknown, limitMs = 30_000): Promise<void> {
  const endMs = performance.now() + limitMs;
  let cause: unknown;
  while (performance.now() < endMs) {
    try {
      if (await isSo()) return;
    } catch (error) {
      cause = error;
    }
    await sleep(50);
  }
  throw new Error(`Waited ${limitMs / 1000} s in vain: ${what}`, { cause });
}
