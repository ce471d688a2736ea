import { Redis, type RedisOptions } from 'ioredis';

import { sentinelOptions } from './sentinel-options.js';

/** How long a request waits for Redis before it goes on without. */
export const COMMAND_TIMEOUT_MS = 250;
/** How long Redis is left alone after it failed to answer; then one request tries it again. */
export const PAUSE_MS = 1000;
/** Longest wait for a response that no request waits for, in milliseconds: a busy process is not to give up too soon. */
const GIVE_UP_MS = 2000;

/**
 * Counts one event, and begins the window with the first one: one round trip, atomic over all instances.
 * @returns the count, and the milliseconds that are left of the window.
 */
const HIT = `
local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {count, left}`;

/**
 * Counts one request in several windows, each as {@link HIT} does, and stops behind the first that it exceeds.
 * The arguments are length and limit of each window; the answer is count and milliseconds left of each.
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

/** Takes one request out of each window that is open. A key without a count must not be created: it would never expire. */
const UNDO_ALL = `
local undone = 0
for _, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or '0') > 0 then
    redis.call('DECR', key)
    undone = undone + 1
  end
end
return undone`;

/** Keeps the greater one of two texts for a time, in milliseconds. */
const RAISE = `
local raised = redis.call('GET', KEYS[1])
if not raised or raised < ARGV[1] then raised = ARGV[1] end
redis.call('SET', KEYS[1], raised, 'PX', ARGV[2])
return raised`;

/** How long a lost connection waits for the next attempt. @param attempt from 1. */
export const retryInMs = (attempt: number): number => Math.min(attempt * 100, PAUSE_MS);

const OPTIONS: RedisOptions = {
  connectTimeout: PAUSE_MS,
  // Also for the commands that begin a connection: one that swallows everything would never be ready, and never end.
  commandTimeout: GIVE_UP_MS,
  // How long the other side may take to close as well.
  disconnectTimeout: COMMAND_TIMEOUT_MS,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  retryStrategy: retryInMs,
  sentinelRetryStrategy: retryInMs,
  // A master that has become a replica: the next connection leads to the new one.
  reconnectOnError: ({ message }) => message.includes('READONLY'),
  scripts: {
    hit: { lua: HIT, numberOfKeys: 1 },
    hitAll: { lua: HIT_ALL },
    undoAll: { lua: UNDO_ALL },
    raise: { lua: RAISE, numberOfKeys: 1 },
  },
};

type Count = [count: number, leftMs: number];

/** Redis with scripts that count, and one that keeps the greatest text. */
export type CountingRedis = Redis & {
  hit(key: string, windowMs: number): Promise<Count>;
  /** The keys, then length in milliseconds and limit of the window of each. */
  hitAll(keys: number, ...keysAndWindows: readonly (string | number)[]): Promise<Count[]>;
  /** @returns how many windows were open. */
  undoAll(keys: number, ...keysOfWindows: readonly string[]): Promise<number>;
  raise(key: string, text: string, keptMs: number): Promise<string>;
};

/** A client of Redis, or of the master that Sentinels name; it connects at once. @throws {TypeError} the URL names no master. */
export function countingRedis(url: string): CountingRedis {
  const sentinels = sentinelOptions(url);
  const redis = sentinels === undefined ? new Redis(url, OPTIONS) : new Redis({ ...sentinels, ...OPTIONS });
  return redis as CountingRedis;
}
