import { isCode } from '@items/conventions';

import type { ApiCall } from '../calls/api-call.js';
import type { CallOptions } from '../client-options.js';
import type { Reach } from '../collections/reach.js';
import { isStatus } from '../errors/api-error-status.js';
import { ExpiredCursorError, ItemsApiError } from '../errors/items-api-error.js';
import { ItemsNetworkError } from '../errors/items-network-error.js';
import type { Patience } from '../events/feed-pages.js';
import { askedDelayMs, backoffMs, pause } from '../http/retry.js';
import { withSignals } from '../http/signals.js';
import { isTransient, type Call } from '../http/transport.js';
import { quotaShare } from './quota.js';

export interface Listener {
  /** A request failed, or its response is late. */
  readonly onFault: (error: unknown) => void;
  /** A retry is unlikely to change the response. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Sends requests one after another, each once. */
export interface Requests extends Patience {
  /**
   * @param waitMs Longest wait of the service before it responds.
   * @param gapMs Minimum time since the last request was sent.
   */
  readonly send: <T>(call: (options: CallOptions) => ApiCall<T>, waitMs?: number, gapMs?: number) => Promise<T>;
}

/** A response later than this is reported as a fault. */
const SILENCE_MS = 2000;
/** Interval in which a request checks for free quota. */
const QUOTA_CHECK_MS = 1000;

export function requests(reach: Reach, signal: AbortSignal, { onFault, onError }: Listener): Requests {
  const { take, note } = quotaShare();
  let failures = 0;
  let sentMs = -Infinity;
  let cut: AbortController | undefined;
  // A browser that loses its network does not end a waiting request.
  const browser = globalThis as Partial<EventTarget>;
  browser.addEventListener?.('offline', () => cut?.abort(new ItemsNetworkError('The browser is offline.')), { signal });
  const wait = (ms: number): Promise<void> => pause(reach.retry, ms, signal);

  return {
    pause: wait,
    send: async (call, waitMs = 0, gapMs = 0) => {
      const restMs = sentMs + gapMs - performance.now();
      if (restMs > 0) await wait(restMs);
      while (!take(waitMs > 0)) await wait(QUOTA_CHECK_MS);
      sentMs = performance.now();
      const late = setTimeout(() => onFault(undefined), waitMs + SILENCE_MS);
      const timeoutMs = waitMs + reach.timeoutMs;
      cut = new AbortController();
      try {
        const { data, response } = await withSignals([signal, cut.signal], undefined, (either) => {
          const options: CallOptions & Pick<Call, 'repeat'> = { signal: either, timeoutMs, repeat: 'never' };
          return call(options).withResponse();
        });
        note(response.headers);
        failures = 0;
        return data;
      } finally {
        clearTimeout(late);
      }
    },
    pauseAfter: (error) => {
      if (signal.aborted || isFinal(error)) throw error;
      failures += 1;
      onFault(error);
      if (!isTransient(error) && !(error instanceof ItemsApiError && error.status >= 500)) onError?.(error);
      return Math.max(askedDelayMs(error) ?? 0, backoffMs(failures, { ...reach.retry, maxDelayMs: 30_000 }));
    },
  };
}

/** Whether a retry is useless: the credential lacks permission, or the position has expired. */
function isFinal(error: unknown): boolean {
  return isForbidden(error) || isCode(error, 'events_off') || error instanceof ExpiredCursorError;
}

export function isForbidden(error: unknown): boolean {
  return isStatus(error, 401) || isStatus(error, 403);
}
