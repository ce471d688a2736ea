import { once } from 'node:events';

import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';

import { COMMAND_TIMEOUT_MS, type CountingRedis, countingRedis, PAUSE_MS, retryInMs } from './counting-redis.js';

/** Answers missed one after the other until the connection is given up: it may swallow everything, for ever. */
const MISSES = 3;
/** What Redis says to a client that selects a database which it does not have. */
const NO_SUCH_DATABASE = /DB index|SELECT is not allowed/;

/** Hears how Redis fails, and that it is well again; `Outage` of `@items/service` makes few lines of a log of it. */
export interface RedisOutage {
  fail(cause: unknown): void;
  /** Called after every answer. */
  succeed(): void;
  stop(): void;
}

/** What an application decides about its connection to Redis. */
export interface RedisLinkOptions {
  readonly outage?: RedisOutage;
  /** Makes what is thrown at the start where Redis has no such database as its URL names. */
  readonly noSuchDatabase?: () => Error;
}

/**
 * A connection to Redis, or to the master that Sentinels name, with short time-outs: its users have another way where Redis
 * does not answer.
 * @example { provide: RedisLink, useFactory: () => new RedisLink('redis://127.0.0.1:6379') }
 */
export class RedisLink implements OnModuleInit, OnApplicationShutdown {
  private readonly redis: CountingRedis;
  /** False once Redis has refused the one that the URL names. */
  private hasDatabase = true;
  private readonly outage: RedisOutage | undefined;
  private readonly noSuchDatabase: () => Error;
  private down = false;
  private failures = 0;
  private pausedUntilMs = 0;
  private misses = 0;
  private missedAtMs = 0;
  private isStopped = false;
  /** Ends of the client, one after the other, without a connection between them. */
  private ends = 0;
  private reconnection: NodeJS.Timeout | undefined;
  private connected = 0;

  constructor(url: string, { outage, noSuchDatabase = unknownDatabase }: RedisLinkOptions = {}) {
    this.outage = outage;
    this.noSuchDatabase = noSuchDatabase;
    this.redis = countingRedis(url);
    this.redis.on('error', (error: Error) => {
      this.notice(error);
    });
    this.redis.on('ready', () => {
      this.ends = 0;
      this.connected += 1;
    });
    this.redis.on('end', () => {
      this.connectAgain();
    });
  }

  /**
   * Waits a moment for the connection; a Redis that is down does not stop the start.
   * @throws {Error} where it has no such database as the URL names.
   */
  async onModuleInit(): Promise<void> {
    if (this.redis.status !== 'ready') {
      await once(this.redis, 'ready', { signal: AbortSignal.timeout(PAUSE_MS) }).catch((error: unknown) => {
        this.notice(error as Error);
      });
    }
    if (this.hasDatabase) return;
    this.onApplicationShutdown();
    throw this.noSuchDatabase();
  }

  /** @returns undefined where Redis does not answer. */
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
      if (error instanceof NoAnswerError) this.miss(askedAtMs);
      this.fail(error as Error);
      return undefined;
    }
  }

  /** How often it was connected: what was kept before the latest connection may be lost. */
  get connections(): number {
    return this.connected;
  }

  /** Whether it answers as far as is known, and how often it did not. */
  get use(): { readonly isUp: boolean; readonly failures: number } {
    return { isUp: !this.down, failures: this.failures };
  }

  /** Whether it answers now. */
  async isAnswering(): Promise<boolean> {
    return (await this.ask((redis) => redis.ping())) !== undefined;
  }

  /** For the end of the process, and of a test. */
  onApplicationShutdown(): void {
    this.isStopped = true;
    clearTimeout(this.reconnection);
    this.outage?.stop();
    this.redis.disconnect();
  }

  /**
   * ioredis gives itself up where Sentinels announce a failover while it asks them for the master, and where a connection
   * fails before it is one. Only our own stop is final.
   */
  private connectAgain(): void {
    if (this.isStopped) return;
    this.ends += 1;
    // A failure is an `error`, and ends in `end` again.
    this.reconnection = setTimeout(() => void this.redis.connect().catch(() => undefined), retryInMs(this.ends));
  }

  private isUsable(): boolean {
    if (this.redis.status !== 'ready') return false;
    if (!this.down) return true;
    const nowMs = performance.now();
    if (nowMs < this.pausedUntilMs) return false;
    this.pausedUntilMs = nowMs + PAUSE_MS;
    return true;
  }

  private notice(error: Error): void {
    if (NO_SUCH_DATABASE.test(error.message)) this.hasDatabase = false;
    else this.fail(error);
  }

  private fail(error: Error): void {
    this.pausedUntilMs = performance.now() + PAUSE_MS;
    this.down = true;
    this.failures += 1;
    this.outage?.fail(error);
  }

  /** Those that were asked for together are missed together. */
  private miss(askedAtMs: number): void {
    if (askedAtMs < this.missedAtMs) return;
    this.missedAtMs = performance.now();
    this.misses += 1;
    if (this.misses < MISSES) return;
    this.misses = 0;
    // Not `disconnect`, which waits two seconds for the other side to close as well.
    this.redis.stream.destroy();
  }

  private succeed(): void {
    this.misses = 0;
    this.down = false;
    this.outage?.succeed();
  }
}

function unknownDatabase(): Error {
  return new Error('This Redis does not have the database that its URL names.');
}

class NoAnswerError extends Error {
  constructor() {
    super(`no answer within ${String(COMMAND_TIMEOUT_MS)} ms`);
  }
}

/**
 * Rejects where an answer is late. What arrived while this process was too busy to look is not: before the timer's word
 * is taken, the event loop reads its sockets once more.
 */
function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      reject(new NoAnswerError());
    };
    const timer = setTimeout(() => setImmediate(giveUp), COMMAND_TIMEOUT_MS);
    answer.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}
