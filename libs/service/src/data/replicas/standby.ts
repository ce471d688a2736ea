import type { MaybePromise } from '@items/conventions';

import type { Database } from '../database/database.js';
import { isUnavailable } from '../database/database-unavailable.js';
import { Outage } from '../outages/outage.js';
import type { StoreLog } from '../outages/store-log.js';
import { type LogState, STANDBY_STATE } from './log-position.js';

/** A standby that is further behind is not read, in milliseconds. */
export const MAX_LAG_MS = 1000;
/** How often servers are asked how far they are, in milliseconds. */
export const LOOK_MS = 200;

const WORDS = {
  begins: 'is not read',
  goesOn: 'is still not read',
  ends: 'is read again',
};

/** How far the primary was at a time, on the clock of `performance`. */
export interface PrimarySample extends LogState {
  readonly takenAtMs: number;
}

/** A standby, and how far it is known to have come. */
export class Standby {
  /** What is read from it now has all up to here. */
  position = '';
  /** It has all that the primary had then, on the clock of `performance`. */
  private hasAllOfMs = -Infinity;
  private database: Database | undefined;
  private looking: Promise<void> | undefined;
  private readonly outage: Outage;

  /** @param open is called until it succeeds. @param name for the log and the metrics. */
  constructor(
    private readonly open: (onLost: () => void) => Promise<Database>,
    readonly name: string,
    log: StoreLog,
  ) {
    const say = (fields: object, message: string): void => {
      log.warn(fields, message);
    };
    this.outage = new Outage(say, `The standby ${name}`, '; the primary answers', WORDS);
  }

  /** Whether it is at most {@link MAX_LAG_MS} behind. */
  get isFresh(): boolean {
    return performance.now() - this.hasAllOfMs <= MAX_LAG_MS;
  }

  /** How long ago it had all that the primary had then; undefined while that is not known. */
  get lagSeconds(): number | undefined {
    return this.position === '' ? undefined : (performance.now() - this.hasAllOfMs) / 1000;
  }

  /** Asks how far it is, unless it is being asked. @param samples of the primary, the latest last. */
  look(samples: readonly PrimarySample[]): void {
    this.looking ??= this.ask(samples)
      .catch((error: unknown) => {
        this.giveUp(error);
      })
      .finally(() => (this.looking = undefined));
  }

  /** It is not read until it is known again how far it is. @param error why that is not known. */
  giveUp(error: unknown): void {
    this.doubt();
    this.outage.fail(error);
  }

  /**
   * Reads from it. It may be given up before the work has ended.
   * @throws {Error} what the work throws, or that the standby is no longer to be read.
   */
  read<Result>(work: (database: Database) => MaybePromise<Result>): Promise<Result> {
    const { database } = this;
    if (database === undefined) return Promise.reject(new Error('The standby was never reached.'));
    return new Promise((resolve, reject) => {
      const watch = setInterval(() => {
        if (!this.isFresh) reject(new Error('The standby was lost while it was read.'));
      }, LOOK_MS);
      Promise.resolve()
        .then(() => work(database))
        .catch((error: unknown) => {
          if (isUnavailable(error)) this.doubt();
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
    await this.looking;
    await this.database?.close();
  }

  private async ask(samples: readonly PrimarySample[]): Promise<void> {
    this.database ??= await this.open(() => {
      this.doubt();
    });
    const [state] = await this.database.query<LogState>(STANDBY_STATE);
    const position = state?.position ?? undefined;
    if (position === undefined) throw new Error('it is no standby');
    const reached = samples.findLast((sample) => sample.mark === state?.mark && (sample.position ?? '') <= position);
    if (reached === undefined) {
      // At first there is but one sample, and a standby is a little behind it.
      if (samples.length > 1) throw new Error('it is behind the primary');
      return;
    }
    this.position = position;
    this.hasAllOfMs = reached.takenAtMs;
    this.outage.succeed();
  }

  /** A connection was lost: when the server is back, it may have gone back to where its disk was. */
  private doubt(): void {
    this.hasAllOfMs = -Infinity;
    this.position = '';
  }
}
