import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** A range contains only addresses of its own form: `::ffff:127.0.0.1` is not in `127.0.0.0/8`. */
export class AddressRanges {
  private readonly v4 = new BlockList();
  private readonly v6 = new BlockList();

  /** @param cidrs `127.0.0.0/8`, `2001:db8::/32`, or a single address. @throws {TypeError} an entry is neither. */
  constructor(readonly cidrs: readonly string[] = []) {
    for (const cidr of cidrs) this.add(cidr);
  }

  has(address: string): boolean {
    if (isIPv4(address)) return this.v4.check(address, 'ipv4');
    return isIPv6(address) && this.v6.check(address, 'ipv6');
  }

  private add(cidr: string): void {
    const [address = '', prefix] = cidr.split('/', 2);
    const family = isIP(address);
    const bits = family === 4 ? 32 : 128;
    const length = prefix === undefined ? bits : Number(prefix);
    if (
      family === 0 ||
      (prefix !== undefined && !/^\d{1,3}$/.test(prefix)) ||
      length > bits ||
      cidr.split('/').length > 2
    ) {
      throw new TypeError(`"${cidr}" is not a range of addresses: write it like 10.0.0.0/8 or fd00::/8.`);
    }
    if (family === 4) this.v4.addSubnet(address, length, 'ipv4');
    else this.v6.addSubnet(address, length, 'ipv6');
  }
}
