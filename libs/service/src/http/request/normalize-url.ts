const UNRESERVED = /^[A-Za-z0-9._~-]$/;

const PLAIN_URL = /^https?:\/\/([^/?#@\\\s]+)(?:\/[^?#\\\s]*)?$/i;

/**
 * Normalizes case of scheme and host, default port, dot segments and percent-encoding; drops one final slash. RFC 3986
 * §6.2.2, §6.2.3
 */
export function normalizeUrl({ origin, pathname }: URL): string {
  return origin + pathname.replace(/%[0-9a-f]{2}/gi, normalizeEscape).replace(/\/$/, '');
}

export function isSameUrl(text: string, normalized: string): boolean {
  const authority = PLAIN_URL.exec(text)?.[1]?.toLowerCase();
  if (authority === undefined || !URL.canParse(text)) return false;
  const url = new URL(text);
  // `new URL` also rewrites hosts such as `0x7f.1`. In RFC 3986, the result is not equivalent.
  const isHostUnchanged = authority.replace(/:\d*$/, '') === url.hostname;
  return isHostUnchanged && normalizeUrl(url) === normalized;
}

function normalizeEscape(escape: string): string {
  const character = String.fromCharCode(parseInt(escape.slice(1), 16));
  return UNRESERVED.test(character) ? character : escape.toUpperCase();
}
