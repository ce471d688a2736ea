import type { Auth } from './auth/auth.js';

/** When and how often a request that failed is sent again. SPEC §8 */
export interface RetryOptions {
  /** How often a request is sent at most, the first time included. Default 4. */
  readonly attempts?: number | undefined;
  /** Longest wait between two attempts, in ms; a longer `Retry-After` fails at once. Default 30 000. */
  readonly maxDelayMs?: number | undefined;
  /** A number of at least 0 and below 1, as `Math.random` gives it: the jitter of waits. */
  readonly random?: (() => number) | undefined;
  /** Every wait between requests: fulfilled after so many ms, or when the signal aborts. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<unknown>) | undefined;
}

/** How much the cache keeps; what was asked for longest ago goes first. */
export interface CacheOptions {
  /** Default 500. */
  readonly maxEntries?: number | undefined;
  /** Bytes of memory, about. Default 5 MiB. */
  readonly maxBytes?: number | undefined;
}

/** A request that is about to be sent, without its credential. */
export interface RequestEvent {
  readonly method: string;
  readonly url: string;
  /** 1-based. */
  readonly attempt: number;
  /** What is set here is sent, such as `traceparent`. The credential is added afterwards. */
  readonly headers: Headers;
}

/** An answer that has come, whatever its status. */
export interface ResponseEvent {
  readonly method: string;
  readonly url: string;
  readonly attempt: number;
  readonly status: number;
  readonly headers: Headers;
  readonly durationMs: number;
}

/** What a client is made of. */
export interface ClientOptions {
  /** Where the service is, such as `https://items.example.com`. HTTPS, except on this machine. SPEC §5 */
  readonly baseUrl: string;
  /** Left out: requests carry no credential. */
  readonly auth?: Auth | undefined;
  /** Names the application, such as `shop/1.2`. Browsers send their own. SPEC §8 */
  readonly userAgent?: string | undefined;
  readonly retry?: RetryOptions | undefined;
  /** Longest wait for the whole answer to one attempt. Default 30 000. */
  readonly timeoutMs?: number | undefined;
  /** Ends everything that this client does. */
  readonly signal?: AbortSignal | undefined;
  /** Instead of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Keeps answers that have an `ETag` and asks whether they are still current. Default: off. RFC 9110 §13 */
  readonly cache?: boolean | CacheOptions | undefined;
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Whether requests wait for `X-RateLimit-Reset` where the quota is used up. Default: off. SPEC §8 */
  readonly paceByQuota?: boolean | undefined;
}

/** What one call may say for itself. */
export interface CallOptions {
  /** Ends this call. */
  readonly signal?: AbortSignal | undefined;
  /** For each attempt of this call; default: the client's. */
  readonly timeoutMs?: number | undefined;
}

/** A call that makes something. */
export interface CreateOptions extends CallOptions {
  /** 1–255 visible ASCII characters; default: a random one for each call. SPEC §4.4 */
  readonly idempotencyKey?: string | undefined;
}

/** A call that holds only for one state of the resource. */
export interface ConditionalOptions extends CallOptions {
  /**
   * The `ETag` that it must still have (412 otherwise); `.withResponse()` and `etagOf(item)` have it. Absent: whatever is
   * there. Given as undefined, the call rejects with a `TypeError` before anything is sent. RFC 9110 §13.1.1
   */
  readonly ifMatch?: string | undefined;
}
