import { isIPv4, isIPv6 } from 'node:net';

export function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the literal address of a URL without brackets. `URL` parses every spelling that a connection would accept:
 * decimal, octal, hexadecimal, fewer than four parts, a final dot, wide digits.
 */
export function literalIn(text: string): string | undefined {
  const url = parsed(text);
  if (url === undefined) return scopedIn(text);
  // `URL` parses hosts only for known schemes.
  const host = parsed(`https://${url.host}`)?.hostname ?? url.hostname;
  if (host.startsWith('[')) return host.slice(1, -1);
  return isIPv4(host) ? host : undefined;
}

/** `[fe80::1%25eth0]`, which `URL` cannot parse. RFC 6874 */
function scopedIn(text: string): string | undefined {
  const [, address = ''] = /\[([\da-f:.]{2,45})%/i.exec(text) ?? [];
  return isIPv6(address) ? address : undefined;
}
