import { isIPv4, isIPv6 } from 'node:net';

/** The URL, or undefined for what is none. */
export function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/**
 * The address that stands in a URL in the place of a name, in the form that `net` knows. `URL` reads every spelling that
 * some connection would take for it: decimal, octal, hexadecimal, fewer than four parts, a final dot, wide digits.
 * @returns without brackets; undefined where there is none.
 */
export function literalIn(text: string): string | undefined {
  const url = parsed(text);
  if (url === undefined) return scopedIn(text);
  // Of schemes that it does not know, URL leaves the host as it is.
  const host = parsed(`https://${url.host}`)?.hostname ?? url.hostname;
  if (host.startsWith('[')) return host.slice(1, -1);
  return isIPv4(host) ? host : undefined;
}

/** The address of `[fe80::1%25eth0]`, which `URL` does not read. RFC 6874 */
function scopedIn(text: string): string | undefined {
  const [, address = ''] = /\[([\da-f:.]{2,45})%/i.exec(text) ?? [];
  return isIPv6(address) ? address : undefined;
}
