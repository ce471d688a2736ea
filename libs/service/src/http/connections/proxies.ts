import { BlockList, isIP, isIPv6 } from 'node:net';

/** @param blocks addresses and CIDR blocks, as in `TRUST_PROXY`. */
export function proxiesAmong(blocks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const block of blocks) {
    const [address = '', bits] = block.split('/');
    const family = familyOf(address);
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    const [bare = ''] = address.split('%');
    return isIP(bare) !== 0 && list.check(bare, familyOf(bare));
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
