import { isIP } from 'node:net';

import { normalizeUrl } from '../../http/request/normalize-url.js';
import { ConfigError } from './config-error.js';
import { list } from './values.js';
import type { Variable } from './variable.js';

/** Removes trailing slashes. @throws {ConfigError} like all functions of this file. */
function url({ name, value }: Variable, protocols: readonly string[], example: string): string | undefined {
  if (value === undefined) return undefined;
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  if (parsed === undefined || !protocols.includes(parsed.protocol) || parsed.hostname === '') {
    throw new ConfigError(
      name,
      `must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
      example,
    );
  }
  return withoutSlashesAtEnd(value);
}

/** Accepts a URL with a host and an optional path, nothing else. RFC 8414 §2 */
export function publicAddress(variable: Variable, fallback: string): string {
  const example = 'https://api.example.com';
  const address = url(variable, ['http:', 'https:'], example);
  if (address !== undefined && /[?#]|^[^/]*\/\/[^/]*@/.test(address)) {
    throw new ConfigError(variable.name, 'must have no user, no query and no fragment', example);
  }
  return normalizeUrl(new URL(address ?? fallback));
}

export function redis(variable: Variable): string | undefined {
  const { name, value = '' } = variable;
  if (value.startsWith('redis+sentinel:')) return sentinels(name, value);
  const example = 'redis://127.0.0.1:6379';
  const address = url(variable, ['redis:', 'rediss:'], example);
  if (address === undefined) return undefined;
  const { pathname, searchParams } = new URL(address);
  const numbers = [pathname.slice(1), searchParams.get('db') ?? ''];
  if (!numbers.every((number) => /^\d{0,9}$/.test(number))) {
    throw new ConfigError(name, 'must name its database by a number', `${example}/0`);
  }
  return address;
}

/** A Sentinel URL has several hosts, the name of their master in the query or path, and an optional database number. */
function sentinels(name: string, value: string): string {
  const [, hosts = '', rest = ''] = /^redis\+sentinel:\/\/(?:[^@/?#]*@)?([^@/?#]+)([/?].*|)$/.exec(value) ?? [];
  const areHosts = hosts.split(',').every((host) => host !== '' && URL.canParse(`redis://${host}`));
  const { pathname, searchParams } = new URL(`redis://sentinels${rest}`);
  const inPath = pathname.replace(/^\//, '').replace(/(?:^|\/)\d{0,9}$/, '');
  const named = searchParams.get('master') ?? inPath;
  if (!areHosts || named === '' || inPath.includes('/')) {
    throw new ConfigError(
      name,
      'must name Sentinels and the master that they watch',
      'redis+sentinel://host1:26379,host2:26379/0?master=mymaster',
    );
  }
  return value;
}

/** Origins exactly as browsers send them. RFC 6454 §6.2 */
export function origins(variable: Variable): readonly string[] {
  for (const origin of list(variable)) {
    const valid = /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
    if (!valid) {
      const problem = 'must list origins: a scheme, a host in lower case and perhaps a port, without a path';
      throw new ConfigError(variable.name, problem, 'https://app.example.com,http://localhost:5173');
    }
  }
  return list(variable);
}

export function proxies(variable: Variable): readonly string[] {
  for (const proxy of list(variable)) {
    const [address = '', bits, ...rest] = proxy.split('/');
    const family = isIP(address);
    const validBits = bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
    if (family === 0 || !validBits || rest.length > 0) {
      throw new ConfigError(variable.name, 'must list IP addresses or CIDR blocks', '10.0.0.0/8,192.168.1.7');
    }
  }
  return list(variable);
}

export function resolver({ name, value }: Variable): string | undefined {
  if (value === undefined) return undefined;
  const end = value.lastIndexOf(':');
  const host = value.slice(0, end).replace(/^\[(.*)\]$/, '$1');
  const port = value.slice(end + 1);
  if (isIP(host) === 0 || !/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
    throw new ConfigError(name, 'must be the address and the port of a resolver', '127.0.0.1:5353');
  }
  return value;
}

function withoutSlashesAtEnd(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '/') end -= 1;
  return text.slice(0, end);
}

const EXAMPLE = 'https://app.example.com/login/done';
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Redirect URIs after a login: of the base URL's origin, with `https`, or on loopback. @throws {ConfigError} */
export function ownPages(variable: Variable, baseUrl: string): readonly string[] {
  for (const address of list(variable)) {
    if (isAllowed(address, new URL(baseUrl).origin)) continue;
    const problem = 'must list URLs without a fragment: of BASE_URL, with https, or with http on a loopback address';
    throw new ConfigError(variable.name, problem, EXAMPLE);
  }
  return list(variable);
}

function isAllowed(address: string, ownOrigin: string): boolean {
  if (!URL.canParse(address) || address.includes('#')) return false;
  const { protocol, hostname, origin, username, password } = new URL(address);
  if (username !== '' || password !== '') return false;
  return origin === ownOrigin || protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname));
}
