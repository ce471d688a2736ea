/** Headers with a meaning for HTTP, browsers, proxies or this service, in lower case. */
const RESERVED: ReadonlySet<string> = new Set([
  'accept',
  'api-version',
  'authorization',
  'baggage',
  'connection',
  'cookie',
  'cookie2',
  'date',
  'expect',
  'forwarded',
  'from',
  'host',
  'http2-settings',
  'idempotency-key',
  'keep-alive',
  'last-event-id',
  'max-forwards',
  'origin',
  'pragma',
  'cache-control',
  'prefer',
  'priority',
  'range',
  'referer',
  'sentry-trace',
  'set-cookie',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
  'www-authenticate',
  'x-real-ip',
  'x-request-id',
]);

const RESERVED_PREFIXES = ['accept-', 'access-control-', 'content-', 'if-', 'proxy-', 'sec-', 'x-forwarded-'];

export function isReservedHeader(header: string): boolean {
  const name = header.toLowerCase();
  // Node stores headers in an object, which inherits `constructor`.
  if (name in Object.prototype) return true;
  return RESERVED.has(name) || RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix));
}
