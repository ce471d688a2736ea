import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks again and again until it is so; what is thrown meanwhile counts as no.
 * @param {string} what for the error: "the standby follows".
 * @param {() => unknown} isSo
 * @param {number} [limitMs]
 * @throws {Error} where it takes longer.
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
