type Headers = Readonly<Record<string, string>>;

/** Headers that every response has beside the id of its request; a response may replace them. @param own the application's. */
export function generalHeaders(own: Headers, isHttps: boolean): Headers {
  return {
    ...own,
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    // Browsers ignore it over plain HTTP, and RFC 6797 §7.2 forbids it there.
    ...(isHttps && { 'strict-transport-security': 'max-age=31536000' }),
  };
}
