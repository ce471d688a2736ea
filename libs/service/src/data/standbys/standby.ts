import type { MaybePromise } from '@items/conventions';
import type { Database } from '../database/database.js';
import { isUnavailable } from '../database/database-unavailable.js';
import { Outage } from '../outages/outage.js';
import type { StoreLog } from '../outages/store-log.js';
import { type WalState, STANDBY_STATE } from './wal-position.js';

export const MAX_LAG_MS = 1000;
export const POLL_MS = 200;

const WORDS = { begins: 'is not read', continues: 'is still not read', ends: 'is read again' };

/** `takenAtMs` is a time of `performance.now()`. */
export interface PrimarySample extends WalState {
  readonly takenAtMs: number;
}

export class Standby {
  /** Position in the WAL up to which reads include all data. */
  position = '';
  /** Reads include all data that the primary had at this `performance.now()`. */
  private caughtUpAtMs = -Infinity;
  private database: Database | undefined;
  private polling: Promise<void> | undefined;
  private readonly outage: Outage;

  constructor(
    private readonly open: (onLost: () => void) => Promise<Database>,
    readonly name: string,
    log: StoreLog,
  ) {
    this.outage = new Outage(log, `The standby ${name}`, '; the primary serves its reads', WORDS);
  }

  get isFresh(): boolean {
    return performance.now() - this.caughtUpAtMs <= MAX_LAG_MS;
  }

  get lagSeconds(): number | undefined {
    return this.position === '' ? undefined : (performance.now() - this.caughtUpAtMs) / 1000;
  }

  poll(samples: readonly PrimarySample[]): void {
    this.polling ??= this.readState(samples)
      .catch((error: unknown) => {
        this.exclude(error);
      })
      .finally(() => (this.polling = undefined));
  }

  /** Excludes the standby until its position is known again. */
  exclude(error: unknown): void {
    this.excludeUntilPolled();
    this.outage.fail(error);
  }

  /** @throws {Error} The work failed, or the standby was excluded. After an exclusion, the work may still run. */
  read<Result>(work: (database: Database) => MaybePromise<Result>): Promise<Result> {
    const { database } = this;
    if (database === undefined) return Promise.reject(new Error('The standby was never reached.'));
    return new Promise((resolve, reject) => {
      const watch = setInterval(() => {
        if (!this.isFresh) reject(new Error('The standby was lost while it was read.'));
      }, POLL_MS);
      Promise.resolve()
        .then(() => work(database))
        .catch((error: unknown) => {
          if (isUnavailable(error)) this.excludeUntilPolled();
          throw error;
        })
        .then(resolve, reject)
        .finally(() => {
          clearInterval(watch);
        });
    });
  }

  async close(): Promise<void> {
    this.outage.stop();
    await this.polling;
    await this.database?.close();
  }

  private async readState(samples: readonly PrimarySample[]): Promise<void> {
    this.database ??= await this.open(() => {
      this.excludeUntilPolled();
    });
    const [state] = await this.database.query<WalState>(STANDBY_STATE);
    const position = state?.position ?? undefined;
    if (position === undefined) throw new Error('the server is not a standby');
    const reached = samples.findLast((sample) => sample.mark === state?.mark && (sample.position ?? '') <= position);
    if (reached === undefined) {
      // The first sample alone proves nothing, because a standby is always a little behind.
      if (samples.length > 1) throw new Error('the standby is behind the primary');
      return;
    }
    this.position = position;
    this.caughtUpAtMs = reached.takenAtMs;
    this.outage.succeed();
  }

  /** Excludes the standby until the next successful poll: a restarted standby may be behind the known position. */
  private excludeUntilPolled(): void {
    this.caughtUpAtMs = -Infinity;
    this.position = '';
  }
}
