import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

import { CLIENT_ADDRESS, type ReceivedRequest } from '../received-request.js';

/** An address with a port, as some proxies write it. RFC 7239 §6 */
const WITH_PORT = /^(?:\[([\da-f:.]+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/i;

/**
 * Normalizes forwarding headers for Fastify: lower-cases them, and removes ports and brackets of addresses. Without a
 * valid client address, `X-Forwarded-For` of a trusted proxy is removed, and the address of the peer counts. SPEC §8.1
 */
export function readForwarding(message: ReceivedRequest, isProxy: (address: string) => boolean): void {
  const { headers } = message;
  const { 'x-forwarded-for': addresses, 'x-forwarded-proto': scheme } = headers;
  if (typeof addresses === 'string') readAddresses(message, addresses, isProxy);
  if (typeof scheme === 'string') headers['x-forwarded-proto'] = scheme.toLowerCase();
}

function readAddresses(message: ReceivedRequest, text: string, isProxy: (address: string) => boolean): void {
  const headers: IncomingHttpHeaders = message.headers;
  const addresses = text.split(',').map(withoutPort);
  headers['x-forwarded-for'] = addresses.join(',');
  if (!isProxy(message.socket.remoteAddress ?? '')) return;
  // Each proxy appends the address of its peer, so the last entry that is not a proxy is the client.
  const decisive = addresses.findLast((address) => !isAddress(address) || !isProxy(address)) ?? addresses[0] ?? '';
  if (isAddress(decisive)) message[CLIENT_ADDRESS] = decisive;
  else delete headers['x-forwarded-for'];
}

/** Refuses addresses with a zone, which could be of any length. */
function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%');
}

function withoutPort(address: string): string {
  return address.trim().replace(WITH_PORT, '$1$2').toLowerCase();
}

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
