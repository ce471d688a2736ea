import type { CacheOptions, ClientOptions, Complete, RetryOptions } from './client-options.js';
import { sleep, type Retry } from './http/retry.js';

export interface Settings
  extends
    Pick<ClientOptions, 'onRequest' | 'onResponse' | 'signal'>,
    Complete<Pick<ClientOptions, 'timeoutMs' | 'fetch' | 'paceByQuota'>> {
  /** With a trailing slash. */
  readonly baseUrl: string;
  /** Undefined in browsers, which send their own `User-Agent`. */
  readonly userAgent: string | undefined;
  readonly retry: Retry;
  readonly cache: Complete<CacheOptions> | undefined;
}

/** @throws {TypeError} An option is invalid. The message names it and contains no credential. */
export function settingsOf(options: ClientOptions): Settings {
  const { auth, cache, timeoutMs = 30_000, userAgent = 'items-client', paceByQuota = false, ...others } = options;
  atLeast(1, 'timeoutMs', timeoutMs);
  return {
    ...others,
    baseUrl: baseUrlOf(options.baseUrl, auth !== undefined),
    userAgent: isBrowser() ? undefined : userAgent,
    retry: retryOf(options.retry),
    timeoutMs,
    // Reads the global `fetch` for each request, because a test or a tracer may replace it later.
    fetch: options.fetch ?? ((...args) => fetch(...args)),
    cache: cacheOf(cache),
    paceByQuota,
  };
}

/** Requires HTTPS if there is a credential, except for localhost, and rejects credentials in the URL. SPEC §5 */
export function baseUrlOf(text: string, hasCredential: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.username + url.password + url.search + url.hash !== ''
  ) {
    throw new TypeError('baseUrl must be an absolute URL without credential, query, fragment.');
  }
  if (url.protocol === 'http:' && hasCredential && !isLoopback(url.hostname)) {
    throw new TypeError('baseUrl must be https:// to protect the credential.');
  }
  return url.origin + url.pathname.replace(/\/?$/, '/');
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

function retryOf({
  attempts = 4,
  maxDelayMs = 30_000,
  random = Math.random,
  sleep: wait = sleep,
}: RetryOptions = {}): Retry {
  atLeast(1, 'retry.attempts', attempts);
  atLeast(0, 'retry.maxDelayMs', maxDelayMs);
  return { attempts, maxDelayMs, random, sleep: wait };
}

function cacheOf(cache: boolean | CacheOptions = false): Settings['cache'] {
  if (cache === false) return undefined;
  const { maxEntries = 500, maxBytes = 5_242_880 } = cache === true ? {} : cache;
  return { maxEntries, maxBytes };
}

function atLeast(least: number, name: string, value: number): void {
  if (!(value >= least)) throw new TypeError(`${name} must be at least ${String(least)}.`);
}

/** Whether to omit `User-Agent`, which causes a CORS preflight in some browsers. */
function isBrowser(): boolean {
  const navigator = Reflect.get(globalThis, 'navigator') as { readonly userAgent?: string } | undefined;
  return navigator?.userAgent?.startsWith('Mozilla/') === true;
}
