import { Redis, type RedisOptions } from 'ioredis';

import { sentinelOptions } from './sentinel-options.js';

export const COMMAND_TIMEOUT_MS = 250;
/** Pause after a failure of Redis; then one request tries it again. */
export const PAUSE_MS = 1000;
/** No request waits for such a response. Generous, so that a busy process does not give up too soon. */
const GIVE_UP_MS = 2000;

/** The first event begins the window. @returns the count, and the remaining milliseconds of the window. */
const HIT = `
local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {count, left}`;

/**
 * Stops after the first window that the request exceeds. The arguments are length and limit of each window; the result
 * is count and remaining milliseconds of each.
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

/** Must not create a key without a count: it would never expire. */
const UNDO_ALL = `
local undone = 0
for _, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or '0') > 0 then
    redis.call('DECR', key)
    undone = undone + 1
  end
end
return undone`;

const RAISE = `
local raised = redis.call('GET', KEYS[1])
if not raised or raised < ARGV[1] then raised = ARGV[1] end
redis.call('SET', KEYS[1], raised, 'PX', ARGV[2])
return raised`;

export const retryInMs = (attempt: number): number => Math.min(attempt * 100, PAUSE_MS);

const OPTIONS: RedisOptions = {
  connectTimeout: PAUSE_MS,
  // Also limits the commands that begin a connection: a peer that never responds would hang it forever.
  commandTimeout: GIVE_UP_MS,
  disconnectTimeout: COMMAND_TIMEOUT_MS,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  retryStrategy: retryInMs,
  sentinelRetryStrategy: retryInMs,
  // The master became a replica: the next connection leads to the new master.
  reconnectOnError: ({ message }) => message.includes('READONLY'),
  scripts: {
    hit: { lua: HIT, numberOfKeys: 1 },
    hitAll: { lua: HIT_ALL },
    undoAll: { lua: UNDO_ALL },
    raise: { lua: RAISE, numberOfKeys: 1 },
  },
};

type Count = [count: number, leftMs: number];

export type CountingRedis = Redis & {
  hit(key: string, windowMs: number): Promise<Count>;
  /** Takes the keys, then length in milliseconds and limit of each window. */
  hitAll(keys: number, ...keysAndWindows: readonly (string | number)[]): Promise<Count[]>;
  undoAll(keys: number, ...keysOfWindows: readonly string[]): Promise<number>;
  raise(key: string, text: string, keptMs: number): Promise<string>;
};

/** Connects immediately to Redis, or to the master that Sentinels name. @throws {TypeError} the URL names no master. */
export function countingRedis(url: string): CountingRedis {
  const sentinels = sentinelOptions(url);
  const redis = sentinels === undefined ? new Redis(url, OPTIONS) : new Redis({ ...sentinels, ...OPTIONS });
  return redis as CountingRedis;
}
