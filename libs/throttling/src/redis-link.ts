import { once } from 'node:events';
import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { COMMAND_TIMEOUT_MS, type CountingRedis, countingRedis, PAUSE_MS, retryInMs } from './counting-redis.js';

/** Number of consecutive missed responses that closes the connection: a peer may accept requests and never respond. */
const MISSES = 3;
const NO_SUCH_DATABASE = /DB index|SELECT is not allowed/;

/** Receives failures and recoveries of Redis. `Outage` of `@items/service` implements it, with few log lines. */
export interface RedisOutage {
  fail(cause: unknown): void;
  succeed(): void;
  stop(): void;
}

export interface RedisLinkOptions {
  readonly outage?: RedisOutage;
  readonly noSuchDatabase?: () => Error;
}

/**
 * A connection to Redis, or to the master that Sentinels name. Time-outs are short, because callers have a fallback.
 * @example
 * { provide: RedisLink, useFactory: () => new RedisLink('redis://127.0.0.1:6379') }
 */
export class RedisLink implements OnModuleInit, OnApplicationShutdown {
  private readonly redis: CountingRedis;
  private hasDatabase = true;
  private down = false;
  private failures = 0;
  private pausedUntilMs = 0;
  private misses = 0;
  private missedAtMs = 0;
  private isStopped = false;
  private reconnectAttempts = 0;
  private reconnection: NodeJS.Timeout | undefined;
  private connected = 0;

  constructor(
    url: string,
    private readonly options: RedisLinkOptions = {},
  ) {
    this.redis = countingRedis(url);
    this.redis.on('error', (error: Error) => this.handleError(error));
    this.redis.on('ready', () => {
      this.reconnectAttempts = 0;
      this.connected += 1;
    });
    this.redis.on('end', () => this.connectAgain());
  }

  /**
   * Waits at most a second for the connection. The app starts even if Redis is down.
   * @throws {Error} Redis does not have the database of the URL.
   */
  async onModuleInit(): Promise<void> {
    if (this.redis.status !== 'ready') {
      const ready = once(this.redis, 'ready', { signal: AbortSignal.timeout(PAUSE_MS) });
      await ready.catch((error: unknown) => this.handleError(error as Error));
    }
    if (this.hasDatabase) return;
    this.onApplicationShutdown();
    const { noSuchDatabase } = this.options;
    throw noSuchDatabase?.() ?? new Error('This Redis does not have the database that its URL names.');
  }

  /** @returns undefined if Redis does not respond. */
  async ask<T extends number | string | readonly unknown[]>(
    command: (redis: CountingRedis) => Promise<T>,
  ): Promise<T | undefined> {
    if (!this.isUsable()) return undefined;
    const askedAtMs = performance.now();
    try {
      const answer = await inTime(command(this.redis));
      this.succeed();
      return answer;
    } catch (error) {
      if (error instanceof ResponseTimeoutError) this.miss(askedAtMs);
      this.fail(error as Error);
      return undefined;
    }
  }

  /** Number of connections so far. Redis may have lost data from before the latest one. */
  get connections(): number {
    return this.connected;
  }

  get use(): { readonly isUp: boolean; readonly failures: number } {
    return { isUp: !this.down, failures: this.failures };
  }

  async isAnswering(): Promise<boolean> {
    return (await this.ask((redis) => redis.ping())) !== undefined;
  }

  onApplicationShutdown(): void {
    this.isStopped = true;
    clearTimeout(this.reconnection);
    this.options.outage?.stop();
    this.redis.disconnect();
  }

  /**
   * Reconnects when ioredis gives up: after a failed connection attempt, or if Sentinels announce a failover during the
   * query for the master.
   */
  private connectAgain(): void {
    if (this.isStopped) return;
    this.reconnectAttempts += 1;
    this.reconnection = setTimeout(
      () => void this.redis.connect().catch(() => undefined),
      retryInMs(this.reconnectAttempts),
    );
  }

  private isUsable(): boolean {
    if (this.redis.status !== 'ready') return false;
    if (!this.down) return true;
    const nowMs = performance.now();
    if (nowMs < this.pausedUntilMs) return false;
    this.pausedUntilMs = nowMs + PAUSE_MS;
    return true;
  }

  private handleError(error: Error): void {
    if (NO_SUCH_DATABASE.test(error.message)) this.hasDatabase = false;
    else this.fail(error);
  }

  private fail(error: Error): void {
    this.pausedUntilMs = performance.now() + PAUSE_MS;
    this.down = true;
    this.failures += 1;
    this.options.outage?.fail(error);
  }

  /** Counts a missed response. Concurrent misses count as one. */
  private miss(askedAtMs: number): void {
    if (askedAtMs < this.missedAtMs) return;
    this.missedAtMs = performance.now();
    this.misses += 1;
    if (this.misses < MISSES) return;
    this.misses = 0;
    // Not `disconnect`, which waits up to 250 ms for the peer to close.
    this.redis.stream.destroy();
  }

  private succeed(): void {
    this.misses = 0;
    this.down = false;
    this.options.outage?.succeed();
  }
}

class ResponseTimeoutError extends Error {
  constructor() {
    super(`no response within ${String(COMMAND_TIMEOUT_MS)} ms`);
  }
}

/**
 * Accepts a response that arrived while the process was busy: before the rejection, the event loop reads its sockets
 * once more.
 */
function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new ResponseTimeoutError());
    const timer = setTimeout(() => setImmediate(giveUp), COMMAND_TIMEOUT_MS);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
