import { HEADER } from '@items/conventions';

type Headers = Readonly<Record<string, string>>;

/** By the application's own, which are the same object for most requests. */
const known = { overHttp: new WeakMap<Headers, Headers>(), overHttps: new WeakMap<Headers, Headers>() };

/** Headers that every answer has, whatever made it; an answer may replace them. @param own the application's. */
export function generalHeaders(requestId: string, own: Headers, isHttps: boolean): Headers {
  return { [HEADER.requestId]: requestId, ...sharedHeaders(own, isHttps) };
}

/** The same but for the id of the request, which stands before them: made once for all requests with the same of one's own. */
export function sharedHeaders(own: Headers, isHttps: boolean): Headers {
  const made = isHttps ? known.overHttps : known.overHttp;
  let headers = made.get(own);
  if (headers === undefined) made.set(own, (headers = shared(own, isHttps)));
  return headers;
}

function shared(own: Headers, isHttps: boolean): Headers {
  return {
    ...own,
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    // Browsers ignore it over plain HTTP, and RFC 6797 §7.2 forbids it there.
    ...(isHttps && { 'strict-transport-security': 'max-age=31536000' }),
  };
}
