import { isCode } from '@items/conventions';
import type { ApiCall } from '../calls/api-call.js';
import type { CallOptions } from '../client-options.js';
import type { Reach } from '../collections/reach.js';
import { ExpiredCursorError, isStatus, ItemsApiError, ItemsNetworkError } from '../errors/items-api-error.js';
import type { RetryPolicy } from '../events/feed-pages.js';
import { retryAfterMs, backoffMs, pause } from '../http/retry.js';
import { withSignals } from '../http/signals.js';
import { type Call, isTransient } from '../http/transport.js';
import { RATE_LIMIT_RESET } from '../header-names.js';

export interface Listener {
  /** A request failed, or its response is late. */
  readonly onFault: (error: unknown) => void;
  /** Called with errors that a retry is unlikely to fix. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Sends requests one after another, without retries. */
export interface Requests extends RetryPolicy {
  /**
   * @param waitMs Duration of a long poll; 0 for other requests.
   * @param gapMs Minimum time since the previous request was sent.
   */
  readonly send: <T>(call: (options: CallOptions) => ApiCall<T>, waitMs?: number, gapMs?: number) => Promise<T>;
}

/** A response later than this is reported as a fault. */
const SILENCE_MS = 2000;
const QUOTA_CHECK_MS = 1000;

export function requests(reach: Reach, signal: AbortSignal, { onFault, onError }: Listener): Requests {
  const { take, note } = quotaShare();
  let failures = 0;
  let sentMs = -Infinity;
  let cut: AbortController | undefined;
  // Aborts the long poll, because a browser that goes offline does not end it.
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
      return Math.max(retryAfterMs(error) ?? 0, backoffMs(failures, { ...reach.retry, maxDelayMs: 30_000 }));
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

/** Maximum share of the quota that a replica uses. The rest is for other requests with its credential. */
const SHARE = 1 / 3;
/** The service rounds the reset to whole seconds. Only a reset that is later by more than this starts a new window. */
const ROUNDING_MS = 2000;

interface QuotaShare {
  /** Counts a request, or returns false if this share of the quota is used up. Reserves a part for long polls. */
  readonly take: (isLongPoll: boolean) => boolean;
  readonly note: (headers: Headers) => void;
}

function quotaShare(): QuotaShare {
  let limit = Infinity;
  let endsAtMs = 0;
  let used = 0;
  return {
    take: (isLongPoll) => {
      const leftMs = endsAtMs - Date.now();
      if (leftMs <= 0) used = 0;
      const share = limit * SHARE;
      const reserved = isLongPoll ? 0 : Math.min(leftMs / 1000, share / 2);
      const hasRoom = used === 0 || used + 1 <= share - reserved;
      if (hasRoom) used += 1;
      return hasRoom;
    },
    note: (headers) => {
      const requests = Number(headers.get('x-ratelimit-limit'));
      if (!(requests > 0)) return;
      limit = requests;
      const resetAtMs = Date.now() + Number(headers.get(RATE_LIMIT_RESET)) * 1000;
      if (resetAtMs > endsAtMs + ROUNDING_MS) {
        used = 1;
        endsAtMs = resetAtMs;
      }
    },
  };
}
