/** RFC 3986 port, path and query, without a fragment. */
const REST = String.raw`(?::\d{1,5})?(?:[/?](?:[\w.~!$&'()+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?`;
const HTTPS = String.raw`https://(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])`;
const LOOPBACK = String.raw`http://(?:localhost|127\.0\.0\.1|\[::1\])`;

/**
 * An address to which an authorization code may be sent: https, or http on a loopback address; no fragment, no user
 * name, no wildcard. The host is in lower case, because addresses are compared as strings. RFC 9700 §2.1, RFC 8252 §8.3
 */
export const REDIRECT_URI = new RegExp(`^(?:${HTTPS}|${LOOPBACK})${REST}$`);

/** Global in Node and in browsers; this library includes the types of neither. */
declare const URL: {
  new (text: string): { readonly href: string };
  canParse(text: string): boolean;
};

/** Explains the refusal of an address whose canonical form is acceptable. */
export function explainRedirectUri(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined;
  const { href } = new URL(uri);
  if (href === uri || !REDIRECT_URI.test(href)) return undefined;
  return `must hold only addresses in canonical form: write ${JSON.stringify(href)} instead of ${JSON.stringify(uri)}.`;
}
