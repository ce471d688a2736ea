import { Redis, type RedisOptions } from 'ioredis';

export const COMMAND_TIMEOUT_MS = 250;
/** Pause after a failure of Redis. Afterwards one request tries Redis again. */
export const PAUSE_MS = 1000;
/**
 * Time-out of ioredis. Requests wait only {@link COMMAND_TIMEOUT_MS}, but a busy process may still read a later
 * response.
 */
const IOREDIS_TIMEOUT_MS = 2000;

/**
 * Counts an event in each window; the first event begins the window. Stops after the first window whose limit the event
 * exceeds. Arguments: length and limit of each window. Result: count and remaining milliseconds of each.
 */
const HIT_ALL = `
local counted = {}
for i, key in ipairs(KEYS) do
  local window = tonumber(ARGV[2 * i - 1])
  local count = redis.call('INCR', key)
  local left = redis.call('PTTL', key)
  if left < 0 then
    redis.call('PEXPIRE', key, window)
    left = window
  end
  counted[i] = {count, left}
  if count > tonumber(ARGV[2 * i]) then break end
end
return counted`;

/** Must not create a missing key: the new key would never expire. */
const UNDO_ALL = `
local undone = 0
for _, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or '0') > 0 then
    redis.call('DECR', key)
    undone = undone + 1
  end
end
return undone`;

const SET_MAX = `
local max = redis.call('GET', KEYS[1])
if not max or max < ARGV[1] then max = ARGV[1] end
redis.call('SET', KEYS[1], max, 'PX', ARGV[2])
return max`;

export const retryInMs = (attempt: number): number => Math.min(attempt * 100, PAUSE_MS);

const OPTIONS: RedisOptions = {
  connectTimeout: PAUSE_MS,
  // Also limits the first commands of a connection; otherwise, a peer that never responds would block it forever.
  commandTimeout: IOREDIS_TIMEOUT_MS,
  disconnectTimeout: COMMAND_TIMEOUT_MS,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  retryStrategy: retryInMs,
  sentinelRetryStrategy: retryInMs,
  // READONLY: the master became a replica. A reconnection leads to the new master.
  reconnectOnError: ({ message }) => message.includes('READONLY'),
  scripts: {
    hitAll: { lua: HIT_ALL },
    undoAll: { lua: UNDO_ALL },
    setMax: { lua: SET_MAX, numberOfKeys: 1 },
  },
};

type Count = [count: number, leftMs: number];

export type CountingRedis = Redis & {
  /** Takes the keys, then length in milliseconds and limit of each window. */
  hitAll(keys: number, ...keysAndWindows: readonly (string | number)[]): Promise<Count[]>;
  undoAll(keys: number, ...keysOfWindows: readonly string[]): Promise<number>;
  setMax(key: string, text: string, keptMs: number): Promise<string>;
};

/** Connects immediately to Redis, or to the master that Sentinels name. @throws {TypeError} the URL names no master. */
export function countingRedis(url: string): CountingRedis {
  const sentinels = sentinelOptions(url);
  const redis = sentinels === undefined ? new Redis(url, OPTIONS) : new Redis({ ...sentinels, ...OPTIONS });
  return redis as CountingRedis;
}

const SENTINELS = /^redis\+sentinel:\/\/(?:([^@/?#]*)@)?([^@/?#]+)([/?].*|)$/;
const SENTINEL_PORT = 26_379;
const SENTINEL_TIMEOUT_MS = 1000;

/**
 * Parses `redis+sentinel://[user:password@]h1:p1,h2:p2/<database>?master=<name>`, with `sentinel_username` and
 * `sentinel_password` if the Sentinels need credentials. The name may also be in the path: `/mymaster/0`.
 * @returns undefined if the URL names a Redis server.
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
    // Sentinels announce a new master immediately, but the connection to a dead master may not end.
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
