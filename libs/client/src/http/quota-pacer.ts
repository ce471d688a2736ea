import { RATE_LIMIT_REMAINING, RATE_LIMIT_RESET } from '../header-names.js';
import { pause, type Retry } from './retry.js';

interface QuotaWindow {
  remaining: number;
  readonly endsAtMs: number;
}

/** Delays requests while the quota is used up, to avoid a 429. Seed specification §8 */
export interface QuotaPacer {
  /** Reads `X-RateLimit-Remaining` and `X-RateLimit-Reset` (in seconds). */
  readonly note: (headers: Headers) => void;
  /** Waits for the reset if the quota is used up, unless the reset is more than `maxDelayMs` away. */
  readonly turn: (signal: AbortSignal) => Promise<void>;
}

export function quotaPacer(retry: Retry): QuotaPacer {
  let current: QuotaWindow | undefined;
  return {
    note: (headers) => {
      const remaining = headers.get(RATE_LIMIT_REMAINING);
      const reset = headers.get(RATE_LIMIT_RESET);
      if (remaining === null || reset === null) return;
      current = { remaining: Number(remaining), endsAtMs: Date.now() + Number(reset) * 1000 };
    },
    turn: async (signal) => {
      const window = current;
      if (window === undefined) return;
      const waitMs = window.endsAtMs - Date.now();
      if (window.remaining > 0) window.remaining -= 1;
      else if (waitMs > 0 && waitMs <= retry.maxDelayMs) {
        await pause(retry, waitMs, signal);
        if (current === window) current = undefined;
      }
    },
  };
}
