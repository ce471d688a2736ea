import { setTimeout as sleep } from 'node:timers/promises';
import { ExpiredCursorError, type MaybePromise } from '@items/conventions';
import type { Database } from '../database/database.js';
import { isUnavailable } from '../database/database-unavailable.js';
import { beforeDeadline } from '../database/transaction-deadline.js';
import { isMarked, LATEST_POSITION, type WalState, markTimeline, PRIMARY_STATE } from './wal-position.js';
import { POLL_MS, MAX_LAG_MS, type PrimarySample, type Standby } from './standby.js';
import type { WritePositions } from './write-positions.js';

/** Timeout of reading a position. Afterwards, the primary serves the caller's reads. */
const POSITION_LIMIT_MS = 500;
/** Pauses after a read with an unknown cursor, before the primary repeats the read. */
const PAUSES_MS = [20, 80, 200];
/** Sorts after every position, so no standby has reached this value. */
const UNKNOWN = 'unknown';

/**
 * Server of a read: a `standby`, or the primary for one of these reasons:
 * - `lagging`: every standby is more than a second behind.
 * - `own_write`: no standby has all that the caller wrote or read in a feed.
 * - `position_unknown`: positions may have been lost.
 * - `repeated`: the read failed on a standby.
 */
export const READ_OUTCOMES = ['standby', 'lagging', 'own_write', 'position_unknown', 'repeated'] as const;

export type ReadOutcome = (typeof READ_OUTCOMES)[number];

export interface StandbyUse {
  readonly reads: Readonly<Record<ReadOutcome, number>>;
  /** `name` is host and port. `lagSeconds` is undefined while unknown. */
  readonly standbys: readonly { name: string; isRead: boolean; lagSeconds: number | undefined }[];
}

/**
 * Reads from a standby that is at most a second behind and has all that the caller has seen, else from the primary.
 * ADR 91
 */
export class StandbyReads {
  private readonly latestPosition: (caller: string) => Promise<string>;
  private samples: PrimarySample[] = [];
  private timer: NodeJS.Timeout | undefined;
  private polling = Promise.resolve();
  private turn = 0;
  private isClosed = false;
  private readonly reads = Object.fromEntries(READ_OUTCOMES.map((outcome) => [outcome, 0])) as Record<
    ReadOutcome,
    number
  >;

  constructor(
    private readonly primary: Database,
    private readonly standbys: readonly Standby[],
    private readonly positions: WritePositions,
  ) {
    this.latestPosition = primary.gathering(async (tx, callers: readonly string[]) => {
      const [state] = await tx.query<{ position: string }>(LATEST_POSITION);
      return callers.map(() => state?.position ?? UNKNOWN);
    });
    this.schedulePoll();
  }

  /** @param work May run several times, because a failed read is repeated on the primary. */
  async read<Result>(caller: string, work: (database: Database) => MaybePromise<Result>): Promise<Result> {
    const standby = await this.standbyFor(caller);
    if (typeof standby === 'string') {
      this.reads[standby] += 1;
      return this.readPrimary(work);
    }
    try {
      const result = await standby.read(work);
      this.reads.standby += 1;
      return result;
    } catch {
      this.reads.repeated += 1;
      return this.readPrimary(work);
    }
  }

  get use(): StandbyUse {
    return {
      reads: this.reads,
      standbys: this.standbys.map(({ name, isFresh, lagSeconds }) => ({ name, isRead: isFresh, lagSeconds })),
    };
  }

  /** Lets the next reads of a caller include all commits so far. Never rejects. */
  async recordPosition(caller: string): Promise<void> {
    const deadlineMs = performance.now() + POSITION_LIMIT_MS;
    const position = await beforeDeadline(this.latestPosition(caller), deadlineMs).catch(() => UNKNOWN);
    // Other instances lack the position and may read from any standby. So wait until all standbys have reached this
    // position.
    if (!(await this.positions.record(caller, position))) await this.replayed(position);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.polling;
    for (const standby of this.standbys) await standby.close();
  }

  private async standbyFor(caller: string): Promise<Standby | ReadOutcome> {
    if (!this.standbys.some(({ isFresh }) => isFresh)) return 'lagging';
    const written = await this.positions.latest(caller);
    if (written === undefined) return 'position_unknown';
    const able = this.standbys.filter(({ isFresh, position }) => isFresh && position >= written);
    if (able.length === 0) this.pollStandbys();
    this.turn += 1;
    return able[this.turn % able.length] ?? 'own_write';
  }

  /**
   * Repeats a read whose cursor the primary does not know yet: a standby may show a commit before the primary does.
   */
  private async readPrimary<Result>(work: (database: Database) => MaybePromise<Result>): Promise<Result> {
    for (const pauseMs of PAUSES_MS) {
      try {
        return await work(this.primary);
      } catch (error) {
        if (!(error instanceof ExpiredCursorError)) throw error;
        await sleep(pauseMs);
      }
    }
    return work(this.primary);
  }

  private async replayed(position: string): Promise<void> {
    const endMs = performance.now() + MAX_LAG_MS;
    while (performance.now() < endMs && !this.standbys.every((standby) => standby.position >= position)) {
      await sleep(POLL_MS / 2);
    }
  }

  private schedulePoll(): void {
    this.timer = setTimeout(() => {
      this.polling = this.pollPrimary().catch((error: unknown) => {
        // Ignores an outage of the primary: the outage is logged elsewhere, and standbys become stale anyway.
        if (!isUnavailable(error)) for (const standby of this.standbys) standby.exclude(error);
      });
      void this.polling.then(() => {
        if (!this.isClosed) this.schedulePoll();
      });
    }, POLL_MS).unref();
  }

  private async pollPrimary(): Promise<void> {
    const takenAtMs = performance.now();
    const [state] = await this.primary.query<WalState>(PRIMARY_STATE);
    if (state === undefined) return;
    if (!isMarked(state)) {
      await markTimeline(this.primary, state);
      return;
    }
    this.samples = [
      ...this.samples.filter((sample) => takenAtMs - sample.takenAtMs < MAX_LAG_MS),
      { ...state, takenAtMs },
    ];
    this.pollStandbys();
  }

  private pollStandbys(): void {
    for (const standby of this.standbys) standby.poll(this.samples);
  }
}
