type Headers = Readonly<Record<string, string>>;

/** Default `Cache-Control` of every response. SPEC §4.3 */
export const CACHE_CONTROL = 'private, no-cache';
/** `Cache-Control` of a resource: no proxy may transform the body, which would weaken its `ETag`. RFC 9110 §7.7 */
export const RESOURCE_CACHE_CONTROL = `${CACHE_CONTROL}, no-transform`;

/** Returns the common headers, which a response may replace. The request id is added elsewhere. */
export function generalHeaders(own: Headers, isHttps: boolean): Headers {
  return {
    ...own,
    'cache-control': CACHE_CONTROL,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    // Browsers ignore HSTS over plain HTTP, and RFC 6797 §7.2 forbids it there.
    ...(isHttps && { 'strict-transport-security': 'max-age=31536000' }),
  };
}
