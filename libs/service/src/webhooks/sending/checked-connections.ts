import { connect as connectPlain, isIP, isIPv6, type LookupFunction, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import type { buildConnector } from 'undici';

import type { AddressRanges } from '../../runtime/config/address-ranges.js';
import { AttemptFailure } from './attempt.js';
import { classifyAddress } from './classify-address.js';
import type { NameResolver } from './name-resolver.js';
import { withDeadline } from './with-deadline.js';

/** Maximum number of addresses to try, and the milliseconds for each except the last. */
const TRIED_ADDRESSES = 4;
const ADDRESS_MS = 2000;

export interface ConnectionOptions {
  readonly resolver: NameResolver;
  readonly allow: AddressRanges;
  readonly ca: readonly string[] | undefined;
  /** Limit for look-up, connection and TLS together. */
  readonly timeoutMs: number;
}

interface Peer {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

/**
 * Returns undici's `connect`. It looks up the name, checks every address, and connects to a checked address. The socket
 * itself never looks up a name.
 */
export function checkedConnections(options: ConnectionOptions): buildConnector.connector {
  return ({ hostname, port, protocol }, callback) => {
    const secure = protocol === 'https:';
    const host = hostname.replace(/^\[|\]$/g, '');
    const peer = { host, port: Number(port === '' ? (secure ? 443 : 80) : port), secure };
    withDeadline(options.timeoutMs, async (deadline) => {
      const addresses = await checkedAddresses(peer, options);
      deadline.throwIfAborted();
      return opened(peer, addresses, options.ca, deadline);
    }).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

/** @throws {AttemptFailure} `forbidden_address`: one address of the host is not allowed, so none is used. */
async function checkedAddresses({ host, port, secure }: Peer, options: ConnectionOptions): Promise<string[]> {
  const addresses = isIP(host) !== 0 ? [host] : await options.resolver.addressesOf(host);
  const mustBeExempt = isIP(host) !== 0 || !secure || (port !== 443 && port < 1024);
  const verdicts = addresses.map((address) => classifyAddress(address, options.allow));
  if (verdicts.every((verdict) => verdict === 'exempt' || (verdict === 'public' && !mustBeExempt))) return addresses;
  throw new AttemptFailure('forbidden_address', `"${host}" has an address that webhooks must not reach.`);
}

/** Tries one address after another until one responds. */
function opened(
  { host, port, secure }: Peer,
  addresses: readonly string[],
  ca: readonly string[] | undefined,
  deadline: AbortSignal,
): Promise<Socket> {
  const checked = addresses.slice(0, TRIED_ADDRESSES).map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const lookup: LookupFunction = (_name, { all }, done) => {
    const [first] = checked;
    if (all === true) done(null, checked);
    else done(null, first?.address ?? '', first?.family);
  };
  const route = {
    host,
    port,
    lookup,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_MS,
  };
  const tls = { ALPNProtocols: ['http/1.1'], rejectUnauthorized: true, ...(ca === undefined ? {} : { ca: [...ca] }) };
  const name = isIP(host) !== 0 ? {} : { servername: host };
  return new Promise((resolve, reject) => {
    const socket = secure ? connectSecure({ ...route, ...tls, ...name }) : connectPlain(route);
    let phase: 'connect' | 'tls' = 'connect';
    const giveUp = (): void => void socket.destroy();
    deadline.addEventListener('abort', giveUp, { once: true });
    socket.once('connect', () => {
      phase = 'tls';
    });
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      deadline.removeEventListener('abort', giveUp);
      resolve(socket);
    });
    // Never remove this listener: an error before undici listens would be uncaught.
    socket.on('error', (cause) => {
      reject(new AttemptFailure(phase, `Could not connect to "${host}".`, { cause }));
    });
  });
}
