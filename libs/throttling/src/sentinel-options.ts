import type { RedisOptions } from 'ioredis';

const SENTINELS = /^redis\+sentinel:\/\/(?:([^@/?#]*)@)?([^@/?#]+)([/?].*|)$/;
const SENTINEL_PORT = 26_379;
const SENTINEL_TIMEOUT_MS = 1000;

/**
 * Parses `redis+sentinel://[user:password@]h1:p1,h2:p2/<database>?master=<name>`, with `sentinel_username` and
 * `sentinel_password` if Sentinels have their own. The name may also be in the path: `/mymaster/0`.
 * @returns undefined for the URL of a Redis.
 * @throws {TypeError} the URL names no master.
 */
export function sentinelOptions(url: string): RedisOptions | undefined {
  const [, user = '', hosts = '', rest = ''] = SENTINELS.exec(url) ?? [];
  if (hosts === '') return undefined;
  const { pathname, searchParams } = new URL(rest, 'redis://sentinels');
  const segments = pathname.split('/').filter(Boolean).map(decodeURIComponent);
  const database = segments.find(isNumber) ?? searchParams.get('db');
  const name = searchParams.get('master') ?? segments.find((segment) => !isNumber(segment));
  if (name === undefined)
    throw new TypeError('A URL of Sentinels names their master: redis+sentinel://…?master=mymaster');
  const { username, password } = new URL(`redis://${user}@sentinels`);
  return {
    name,
    sentinels: hosts.split(',').map(addressOf),
    db: Number(database ?? 0),
    ...given({
      username: decodeURIComponent(username),
      password: decodeURIComponent(password),
      sentinelUsername: searchParams.get('sentinel_username'),
      sentinelPassword: searchParams.get('sentinel_password'),
    }),
    sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
    // Sentinels announce a new master immediately; the connection to a dead master may not notice.
    failoverDetector: true,
  };
}

function addressOf(host: string): { host: string; port: number } {
  const { hostname, port } = new URL(`redis://${host}`);
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || SENTINEL_PORT) };
}

function isNumber(segment: string): boolean {
  return /^\d+$/.test(segment);
}

function given(options: Readonly<Record<string, string | null>>): Record<string, string> {
  const said = Object.entries(options).flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  return Object.fromEntries(said);
}
