import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls a condition until it is true. An error counts as false.
 * @param {string} what for the error message: "the standby follows".
 * @param {() => unknown} isSo
 * @param {number} [limitMs]
 * @throws {Error} after the limit.
 */
export async function waitUntil(what, isSo, limitMs = 30_000) {
  const endMs = performance.now() + limitMs;
  /** @type {unknown} */
  let cause;
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
