import { createHash } from 'node:crypto';

import type { RateLimit } from '@items/contracts';
import { ServiceUnavailableError, TooManyFailuresError } from '@items/errors';
import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { normalizeIp } from '@nestjs/throttler';

import { CONFIG, type Config } from '../config/config.js';
import type { FailureWindows } from '../throttling/failure-windows.js';
import { MemoryFailureWindows } from '../throttling/memory-failure-windows.js';
import { RedisFailureWindows } from '../throttling/redis-failure-windows.js';
import { RedisLink } from '../throttling/redis-link.js';
import { WorkQueue } from './work-queue.js';

const WINDOW_SECONDS = 15 * 60;
/** Failures of one address for one account. decisions §8 */
export const FAILURES_PER_ACCOUNT: RateLimit = { requests: 10, seconds: WINDOW_SECONDS };
/** Failures of one address for any accounts: an office behind one address stays below, guessing through names does not. */
const FAILURES_PER_ADDRESS: RateLimit = { requests: 1000, seconds: WINDOW_SECONDS };
/** Logins of one account from one address that wait for each other. */
const MAX_WAITING = 128;
/** An IPv6 network of one customer is one address. */
const IPV6_PREFIX = 64;

/**
 * Slows down who guesses passwords: by account and address together, and by address, but never by account alone, or
 * anybody could lock anybody out. Only failures count.
 */
@Injectable()
export class LoginFailures implements OnModuleInit, OnApplicationShutdown {
  private readonly link: RedisLink | undefined;
  private readonly windows: FailureWindows;
  private readonly queues = new Map<string, WorkQueue>();

  constructor(@Inject(CONFIG) { redisUrl }: Pick<Config, 'redisUrl'>) {
    const windowMs = WINDOW_SECONDS * 1000;
    this.link =
      redisUrl === undefined ? undefined : new RedisLink(redisUrl, new Logger(LoginFailures.name), 'wrong passwords');
    this.windows =
      this.link === undefined ? new MemoryFailureWindows(windowMs) : new RedisFailureWindows(this.link, windowMs);
  }

  async onModuleInit(): Promise<void> {
    await this.link?.ready();
  }

  onApplicationShutdown(): void {
    this.link?.close();
  }

  /**
   * Lets a login be tried. Those for one account from one address go one after the other: many right ones at once are
   * all let through, and of many wrong ones no more than the limit.
   * @param login undefined for a failure.
   * @throws {TooManyFailuresError} 429, without a try.
   */
  async guard<T>(username: string, address: string, login: () => Promise<T | undefined>): Promise<T | undefined> {
    const byAddress = normalizeIp(address, IPV6_PREFIX);
    const byAccount = `${byAddress}/${createHash('sha256').update(username).digest('base64url')}`;
    return this.inTurn(byAccount, async () => {
      await this.refuseBeyond(FAILURES_PER_ACCOUNT, byAccount);
      await this.refuseBeyond(FAILURES_PER_ADDRESS, byAddress);
      const result = await login();
      if (result !== undefined) await this.windows.forget(byAccount);
      else await Promise.all([this.windows.add(byAccount), this.windows.add(byAddress)]);
      return result;
    });
  }

  private async refuseBeyond(limit: RateLimit, key: string): Promise<void> {
    const { count, leftMs } = await this.windows.read(key);
    if (count >= limit.requests) throw new TooManyFailuresError(limit, Math.max(1, Math.ceil(leftMs / 1000)));
  }

  private async inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    let queue = this.queues.get(key);
    if (queue === undefined) this.queues.set(key, (queue = new WorkQueue(1, MAX_WAITING, tooManyAtOnce)));
    try {
      return await queue.run(work);
    } finally {
      if (queue.isIdle) this.queues.delete(key);
    }
  }
}

function tooManyAtOnce(): ServiceUnavailableError {
  return new ServiceUnavailableError('overloaded', 'Too many logins of this account wait; try again shortly.');
}
