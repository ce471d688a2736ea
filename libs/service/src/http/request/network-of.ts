import { isIPv6 } from 'node:net';

const MAPPED = '::ffff:';

/**
 * Returns the network that counts as one client: an IPv4 address, or an IPv6 /64.
 * @param address as Node writes it: in lower case, perhaps with a zone.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  if (address.startsWith(MAPPED)) return address.slice(MAPPED.length);
  const [left = [], right = []] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  return [...left, ...zeros, ...right].slice(0, 4).join(':');
}
