import type { Complete, RetryOptions } from '../client-options.js';
import { ItemsApiError } from '../errors/items-api-error.js';
import { LONGEST_TIMER_MS, onAbort, unlessAborted } from './signals.js';

export type Retry = Complete<RetryOptions>;

/**
 * Retries until success, a final error, or the last attempt.
 * @throws The last error, or the abort reason of the signal.
 */
export async function retrying<T>(
  retry: Retry,
  signal: AbortSignal | undefined,
  run: (attempt: number) => Promise<T>,
  isTransient: (error: unknown) => boolean,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      return await run(attempt);
    } catch (error) {
      if (attempt >= retry.attempts || !isTransient(error)) throw error;
      const delayMs = retryAfterMs(error) ?? backoffMs(attempt, retry);
      if (delayMs > retry.maxDelayMs) throw error;
      await pause(retry, delayMs, signal);
    }
  }
}

export async function pause(retry: Retry, ms: number, signal: AbortSignal | undefined): Promise<void> {
  await unlessAborted(retry.sleep(ms, signal), signal);
}

export function retryAfterMs(error: unknown): number | undefined {
  const seconds = error instanceof ItemsApiError ? error.retryAfterSeconds : undefined;
  return seconds && seconds * 1000;
}

export function backoffMs(attempt: number, retry: Retry): number {
  return jittered(1000 * 2 ** (attempt - 1), retry);
}

/** Shortens a delay by a random part of up to half, so that clients that failed together do not retry together. */
export function jittered(ms: number, { maxDelayMs, random }: Retry): number {
  return Math.min(ms, maxDelayMs) * (1 - random() / 2);
}

export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  let end: (() => void) | undefined;
  const slept = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, Math.min(ms, LONGEST_TIMER_MS));
    end = signal && onAbort(signal, () => (clearTimeout(timer), resolve()));
  });
  return slept.finally(end);
}
