import { HEADER } from '@items/conventions';

import { pause, type Retry } from './retry.js';

/** What is left of a quota until it begins anew. */
interface QuotaWindow {
  remaining: number;
  readonly endsAtMs: number;
}

/** Holds requests back while the quota is used up, instead of running into a 429. SPEC §8 */
export class QuotaPacer {
  #window: QuotaWindow | undefined;

  constructor(private readonly retry: Retry) {}

  /** Reads `X-RateLimit-Remaining` and `-Reset` (seconds) of an answer. */
  note(headers: Headers): void {
    const remaining = headers.get(HEADER.rateLimitRemaining);
    const reset = headers.get(HEADER.rateLimitReset);
    if (remaining === null || reset === null) return;
    this.#window = { remaining: Number(remaining), endsAtMs: Date.now() + Number(reset) * 1000 };
  }

  /** Waits where nothing is left; not for longer than `maxDelayMs`: then the service says what it has to say. */
  async turn(signal: AbortSignal | undefined): Promise<void> {
    const window = this.#window;
    if (window === undefined) return;
    const waitMs = window.endsAtMs - Date.now();
    if (window.remaining > 0) window.remaining -= 1;
    else if (waitMs > 0 && waitMs <= this.retry.maxDelayMs) {
      await pause(this.retry, waitMs, signal);
      if (this.#window === window) this.#window = undefined;
    }
  }
}
