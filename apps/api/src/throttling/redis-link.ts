import { once } from 'node:events';

import type { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';

import { ConfigError } from '../config/config.js';

/** How long a request waits for Redis before it goes on without. */
const COMMAND_TIMEOUT_MS = 250;
/** How long Redis is left alone after it failed to answer; then one request tries it again. */
const PAUSE_MS = 1000;
/** What Redis says to a client that selects a database which it does not have. */
const NO_SUCH_DATABASE = /DB index|SELECT is not allowed/;

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

/** Redis with the scripts of this service. */
export type CountingRedis = Redis & { hit(key: string, windowMs: number): Promise<[count: number, leftMs: number]> };

/** A connection to Redis that nobody waits long for: whoever uses it has another way where Redis does not answer. */
export class RedisLink {
  private readonly redis: CountingRedis;
  /** False once Redis has refused the one that the URL names. */
  private hasDatabase = true;
  private down = false;
  private pausedUntilMs = 0;

  /** @param what is done by this instance alone while Redis is down, in words. */
  constructor(
    url: string,
    private readonly logger: Pick<Logger, 'warn' | 'log'>,
    private readonly what: string,
  ) {
    this.redis = new Redis(url, {
      connectTimeout: PAUSE_MS,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (attempt) => Math.min(attempt * 100, PAUSE_MS),
      scripts: { hit: { lua: HIT, numberOfKeys: 1 } },
    }) as CountingRedis;
    this.redis.on('error', (error: Error) => {
      this.notice(error);
    });
  }

  /**
   * Waits a moment for the connection; a Redis that is down does not stop the start.
   * @throws {ConfigError} where it has no such database as the URL names.
   */
  async ready(): Promise<void> {
    if (this.redis.status !== 'ready') {
      await once(this.redis, 'ready', { signal: AbortSignal.timeout(PAUSE_MS) }).catch((error: unknown) => {
        this.notice(error as Error);
      });
    }
    if (this.hasDatabase) return;
    this.close();
    throw new ConfigError('REDIS_URL', 'names a database that this Redis does not have', 'redis://127.0.0.1:6379/0');
  }

  /** @returns undefined where Redis does not answer. */
  async ask<T extends number | readonly unknown[]>(
    command: (redis: CountingRedis) => Promise<T>,
  ): Promise<T | undefined> {
    if (!this.isUsable()) return undefined;
    try {
      const answer = await inTime(command(this.redis));
      this.succeed();
      return answer;
    } catch (error) {
      this.fail(error as Error);
      return undefined;
    }
  }

  close(): void {
    this.redis.disconnect();
  }

  private isUsable(): boolean {
    if (this.redis.status !== 'ready') return false;
    if (!this.down) return true;
    const nowMs = Date.now();
    if (nowMs < this.pausedUntilMs) return false;
    this.pausedUntilMs = nowMs + PAUSE_MS;
    return true;
  }

  private notice(error: Error): void {
    if (NO_SUCH_DATABASE.test(error.message)) this.hasDatabase = false;
    else this.fail(error);
  }

  private fail(error: Error): void {
    this.pausedUntilMs = Date.now() + PAUSE_MS;
    if (this.down) return;
    this.down = true;
    this.logger.warn(`Redis does not answer (${error.message}); ${this.what} are counted by this instance alone.`);
  }

  private succeed(): void {
    if (!this.down) return;
    this.down = false;
    this.logger.log(`Redis answers again; ${this.what} are shared.`);
  }
}

/**
 * Rejects where an answer is late. What arrived while this process was too busy to look is not: before the timer's word
 * is taken, the event loop reads its sockets once more.
 */
function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      reject(new Error(`No answer within ${COMMAND_TIMEOUT_MS} ms.`));
    };
    const timer = setTimeout(() => setImmediate(giveUp), COMMAND_TIMEOUT_MS);
    answer.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}
