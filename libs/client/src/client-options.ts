import type { Auth } from './auth/auth.js';

export type Complete<Options> = { readonly [Name in keyof Options]-?: NonNullable<Options[Name]> };

export interface RetryOptions {
  /** Maximum number, including the first attempt. Default 4. */
  readonly attempts?: number | undefined;
  /** Maximum delay between two attempts, in ms. A call fails immediately if `Retry-After` is longer. Default 30 000. */
  readonly maxDelayMs?: number | undefined;
  /** Source of jitter like `Math.random`: 0 ≤ x < 1. */
  readonly random?: (() => number) | undefined;
  /** Resolves after the given ms, or when the signal aborts. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<unknown>) | undefined;
}

/** The least recently used entries are evicted first. */
export interface CacheOptions {
  /** Default 500. */
  readonly maxEntries?: number | undefined;
  /** Approximate bytes of memory. Default 5 MiB. */
  readonly maxBytes?: number | undefined;
}

export interface RequestEvent {
  readonly method: string;
  readonly url: string;
  /** 1-based. */
  readonly attempt: number;
  /** Headers of the request, without the credential. You can add headers, such as `traceparent`. */
  readonly headers: Headers;
}

export interface ResponseEvent {
  readonly method: string;
  readonly url: string;
  readonly attempt: number;
  readonly status: number;
  readonly headers: Headers;
  readonly durationMs: number;
}

export interface ClientOptions {
  /** URL of the service, such as `https://items.example.com`. HTTPS is required, except for localhost. SPEC §5 */
  readonly baseUrl: string;
  /** Default: no credential. */
  readonly auth?: Auth | undefined;
  /** `User-Agent` of the application, such as `shop/1.2`. Browsers send their own. Seed specification §8 */
  readonly userAgent?: string | undefined;
  readonly retry?: RetryOptions | undefined;
  /** Timeout of one attempt, including the response body, in ms. Default 30 000. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Caches responses that have an `ETag`, and revalidates them. Default: off. RFC 9110 §13 */
  readonly cache?: boolean | CacheOptions | undefined;
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Waits for `X-RateLimit-Reset` if the quota is used up. Default: off. Seed specification §8 */
  readonly paceByQuota?: boolean | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Timeout of each attempt, in ms. Default: the `timeoutMs` of the client. */
  readonly timeoutMs?: number | undefined;
}

export interface CreateOptions extends CallOptions {
  /** 1–255 visible ASCII characters; default: a random one for each call. SPEC §4.4 */
  readonly idempotencyKey?: string | undefined;
}

export interface ConditionalOptions extends CallOptions {
  /**
   * The `ETag` that the resource must still have; otherwise the call fails with 412. Get it from `.withResponse()` or
   * `etagOf(item)`. Without this property, the call is unconditional. If it is present but undefined, the call rejects with a
   * `TypeError` and sends nothing. RFC 9110 §13.1.1
   */
  readonly ifMatch?: string | undefined;
}
