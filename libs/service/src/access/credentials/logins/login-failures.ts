import { hash } from 'node:crypto';
import { isPromise, type MaybePromise, type RateLimit, ServiceUnavailableError, thenMaybe } from '@items/conventions';
import { networkOf } from '../../../http/request/network-of.js';
import { TooManyFailuresError } from '../../errors/access-errors.js';
import { type QueueBounds, WorkQueue } from '../../passwords/work-queue.js';
import { type FailureWindows, MemoryFailureWindows, RedisFailureWindows, RedisLink } from '@items/throttling';
import { Inject, Injectable } from '@nestjs/common';

type FailureWindow = Awaited<ReturnType<FailureWindows['read']>>;

const WINDOW_SECONDS = 15 * 60;
/** Maximum failures of one address for one account. SPEC §8.3 */
export const FAILURES_PER_ACCOUNT: RateLimit = { requests: 10, seconds: WINDOW_SECONDS };
/**
 * Maximum for all accounts together. High enough for an office behind one address, low enough to stop guesses at many
 * usernames.
 */
const FAILURES_PER_ADDRESS: RateLimit = { requests: 1000, seconds: WINDOW_SECONDS };
const WAITING: QueueBounds = { perClient: 128, inAll: 128, waitMs: 4000 };

export type PasswordUse = 'login' | 'change';

type Three<T> = readonly [T, T, T];

export type FailureKeys = Readonly<Record<PasswordUse | 'address', string>>;

/** Slows down password guessing. Never counts by account alone, because attackers could then lock out any user. */
@Injectable()
export class LoginFailures {
  private readonly windows: FailureWindows;
  private readonly queues = new Map<string, WorkQueue>();

  /** @param link Redis, which counts for all instances. Null: this process counts in memory. */
  constructor(@Inject(RedisLink) link: RedisLink | null) {
    const windowMs = WINDOW_SECONDS * 1000;
    this.windows = link === null ? new MemoryFailureWindows(windowMs) : new RedisFailureWindows(link, windowMs);
  }

  /**
   * Runs attempts for one account and address one after the other, so that concurrent wrong passwords cannot exceed the
   * limit.
   * @param attempt Gets the `performance.now()` at which the wait began. Resolves to undefined for a failure.
   */
  async guard<T>(
    username: string,
    address: string,
    use: PasswordUse,
    attempt: (sinceMs: number) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const keys = failureKeysOf(username, address);
    const sinceMs = performance.now();
    return this.inTurn(keys.login, async () => {
      await this.refuseBeyond(keys);
      const result = await attempt(sinceMs);
      if (result === undefined) await Promise.all([this.windows.add(keys[use]), this.windows.add(keys.address)]);
      else await Promise.all([this.windows.forget(keys.login), this.windows.forget(keys.change)]);
      return result;
    });
  }

  /**
   * Resets the failed logins after a login with a cached password. Failed password changes stay counted: otherwise, the
   * user's own requests would reset them, and a token thief could guess `current_password` without a limit.
   */
  resetAfterCachedLogin(keys: FailureKeys): MaybePromise<unknown> {
    return thenMaybe(this.refuseBeyond(keys), (failed) => (failed > 0 ? this.windows.forget(keys.login) : undefined));
  }

  requireAddress(address: string): MaybePromise<void> {
    return thenMaybe(this.windows.read(networkOf(address)), ({ count, leftMs }) => {
      refuseIf(FAILURES_PER_ADDRESS, count, leftMs);
    });
  }

  async addFailure(address: string): Promise<void> {
    await this.windows.add(networkOf(address));
  }

  /** Throws at a limit. Returns the number of failed logins, synchronously if this process counts them. */
  private refuseBeyond({ login, change, address }: FailureKeys): MaybePromise<number> {
    const windows: Three<MaybePromise<FailureWindow>> = [
      this.windows.read(login),
      this.windows.read(change),
      this.windows.read(address),
    ];
    const known = windows.some(isPromise)
      ? Promise.all(windows.map(async (window) => window))
      : (windows as Three<FailureWindow>);
    return thenMaybe(known as MaybePromise<Three<FailureWindow>>, ([logins, changes, all]) => {
      refuseIf(FAILURES_PER_ACCOUNT, logins.count + changes.count, Math.max(logins.leftMs, changes.leftMs));
      refuseIf(FAILURES_PER_ADDRESS, all.count, all.leftMs);
      return logins.count;
    });
  }

  private async inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    let queue = this.queues.get(key);
    if (queue === undefined) this.queues.set(key, (queue = new WorkQueue(1, WAITING, tooManyLogins)));
    try {
      return await queue.run(work);
    } finally {
      if (queue.isIdle) this.queues.delete(key);
    }
  }
}

export function failureKeysOf(username: string, address: string): FailureKeys {
  const network = networkOf(address);
  const account = `${network}/${hash('sha256', username, 'base64url')}`;
  return { login: account, change: `${account}/change`, address: network };
}

function refuseIf(limit: RateLimit, count: number, leftMs: number): void {
  if (count >= limit.requests) throw new TooManyFailuresError(limit, Math.max(1, Math.ceil(leftMs / 1000)));
}

function tooManyLogins(): ServiceUnavailableError {
  return new ServiceUnavailableError('overloaded', 'Too many logins of this account wait; try again shortly.');
}
