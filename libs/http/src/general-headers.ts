import { HEADER } from '@items/conventions';

/** Headers that every answer has, whatever made it; an answer may replace them. @param own the application's. */
export function generalHeaders(
  requestId: string,
  own: Readonly<Record<string, string>>,
  isHttps: boolean,
): Record<string, string> {
  const headers: Record<string, string> = {
    [HEADER.requestId]: requestId,
    ...own,
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  };
  // Browsers ignore it over plain HTTP, and RFC 6797 §7.2 forbids it there.
  if (isHttps) headers['strict-transport-security'] = 'max-age=31536000';
  return headers;
}
