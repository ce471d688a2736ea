import { ConfigError } from './config-error.js';
import { list } from './values.js';
import type { Variable } from './variable.js';

const EXAMPLE = 'https://app.example.com/login/done';
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Redirect URIs after a login: below the base URL, with `https`, or on a loopback address. @throws {ConfigError} */
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
