import { RATE_LIMIT_REMAINING, RATE_LIMIT_RESET } from '../header-names.js';
import { pause, type Retry } from './retry.js';

/** What is left of a quota until it begins anew. */
interface QuotaWindow {
  remaining: number;
  readonly endsAtMs: number;
}

/** Holds requests back while the quota is used up, instead of running into a 429. SPEC §8 */
export interface QuotaPacer {
  /** Reads `X-RateLimit-Remaining` and `-Reset` (seconds) of an answer. */
  readonly note: (headers: Headers) => void;
  /** Waits where nothing is left; not for longer than `maxDelayMs`: then the service says what it has to say. */
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
