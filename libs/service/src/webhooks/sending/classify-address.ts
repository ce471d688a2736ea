import { AddressRanges } from '../../runtime/config/address-ranges.js';

/** All addresses except those of single public hosts. Includes this machine and private networks. */
const FORBIDDEN = new AddressRanges([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '168.63.129.16',
  // The next three ranges cover everything outside 2000::/3, including IPv4-mapped and NAT64 addresses.
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]);

export type AddressVerdict = 'exempt' | 'public' | 'forbidden';

/** @param address without brackets, as a resolver or `URL` writes it. */
export function classifyAddress(address: string, allow: AddressRanges): AddressVerdict {
  if (allow.has(address)) return 'exempt';
  return FORBIDDEN.has(address) ? 'forbidden' : 'public';
}
