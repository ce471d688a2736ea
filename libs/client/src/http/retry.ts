import { ItemsApiError } from '../errors/items-api-error.js';
import { LONGEST_TIMER_MS, onAbort, unlessAborted } from './signals.js';

/** `RetryOptions` with nothing left open. */
export interface Retry {
  readonly attempts: number;
  readonly maxDelayMs: number;
  readonly random: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

/**
 * Runs something until it succeeds, its error is final, or the attempts are used up.
 * @throws its last error; the signal's reason.
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
      const delayMs = askedDelayMs(error) ?? backoffMs(attempt, retry);
      if (delayMs > retry.maxDelayMs) throw error;
      await pause(retry, delayMs, signal);
    }
  }
}

/** A wait between requests. */
export async function pause(retry: Retry, ms: number, signal: AbortSignal | undefined): Promise<void> {
  await unlessAborted(retry.sleep(ms, signal), signal);
}

/** What `Retry-After` asks for. */
export function askedDelayMs(error: unknown): number | undefined {
  const seconds = error instanceof ItemsApiError ? error.retryAfterSeconds : undefined;
  return seconds && seconds * 1000;
}

/** 1, 2, 4 … s. */
export function backoffMs(attempt: number, retry: Retry): number {
  return jittered(1000 * 2 ** (attempt - 1), retry);
}

/** Up to a half is left out by chance, so that clients that failed together return apart. */
export function jittered(ms: number, { maxDelayMs, random }: Retry): number {
  return Math.min(ms, maxDelayMs) * (1 - random() / 2);
}

/** A timer that gives way to the signal. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  let end: (() => void) | undefined;
  const slept = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, Math.min(ms, LONGEST_TIMER_MS));
    end = signal && onAbort(signal, () => (clearTimeout(timer), resolve()));
  });
  return slept.finally(end);
}
