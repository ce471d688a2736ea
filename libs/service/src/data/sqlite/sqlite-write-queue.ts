import { AsyncResource } from 'node:async_hooks';
import { setImmediate as yieldToOthers, setTimeout as sleep } from 'node:timers/promises';

import { type MaybePromise, isPromise } from '@items/conventions';

import type { DatabaseObserver } from '../database/database-observer.js';
import type { DatabaseOutage } from '../database/database-outage.js';
import { DATABASE_DEADLINE_MS, databaseUnavailable, deadlineOf } from '../database/database-unavailable.js';
import type { Transaction } from '../database/database.js';
import type { Origin } from '../database/origin.js';
import { LogFlush } from './log-flush.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { isBusy } from './sqlite-errors.js';
import type { SqliteFile } from '../database/sqlite-file.js';
import { SqliteTransaction } from './sqlite-transaction.js';
import { beforeDeadline } from '../database/transaction-deadline.js';
import { inScope } from '../database/transaction-scope.js';

/** Transactions that share one commit at most: a commit waits for the disk, so those that wait together share it. */
const MAX_GROUP = 64;
/** A group that has run for so long is committed, and the event loop has a turn. What is left of it is the next group. */
const MAX_HOLD_MS = 10;
/** Longest pause before the write lock, held by another process, is asked for again, in milliseconds. */
const LOCK_RETRY_MS = 20;

/** The database whose transactions a queue runs. */
export interface QueuedDatabase {
  readonly file: SqliteFile;
  readonly observer?: DatabaseObserver | undefined;
  readonly outage: DatabaseOutage;
  /** Whether the commit of a group waits for the disk: SQLite takes this outside of transactions only. */
  setSynced(isSynced: boolean): void;
  /** @returns the error for a caller. */
  toApiError(error: unknown, beganAtMs: number): Error;
}

/** How a transaction is run. */
export interface QueuedWork {
  /** Whether its commit waits for the disk. */
  readonly isSynced: boolean;
  /** The database whose transactions its work may not begin; undefined for work that runs no code of a caller. */
  readonly scope: object | undefined;
  /** Who makes its changes, and since when their request waits. */
  readonly origin: Origin | undefined;
}

interface Job {
  /** On the clock of `performance`. */
  readonly addedAtMs: number;
  readonly deadlineMs: number;
  /** Whether the disk is waited for before it is answered. */
  readonly isSynced: boolean;
  /** Whether it writes by one statement, or by several of which only the first can be refused: then it needs no savepoint. */
  readonly isOne: boolean;
  readonly origin: Origin | undefined;
  readonly work: (tx: Transaction) => MaybePromise<unknown>;
  readonly onCommit: ((beganAtMs: number) => void) | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
  result?: unknown;
}

/**
 * Runs the transactions of a SQLite database one after the other, on the connection that writes. Those that wait together
 * are committed together, and each succeeds or fails alone. ADR 70
 */
export class SqliteWriteQueue {
  private readonly flush: LogFlush;
  private readonly queue: Job[] = [];
  private draining: Promise<void> | undefined;
  private isSynced = true;

  constructor(
    private readonly writes: SqliteConnection,
    private readonly database: QueuedDatabase,
  ) {
    this.flush = new LogFlush(database.file.logPath);
  }

  /** How many transactions wait. */
  get waiting(): number {
    return this.queue.length;
  }

  add<T>(work: (tx: Transaction) => MaybePromise<T>, { isSynced, scope, origin }: QueuedWork): Promise<T> {
    const { observer } = this.database;
    const { sinceMs } = origin ?? {};
    const inContext =
      scope === undefined
        ? (observer?.bind(work) ?? work)
        : // In the asynchronous context of its caller, not of the caller who has set the queue going.
          AsyncResource.bind((tx: Transaction) => inScope(scope, () => work(tx)));
    return new Promise<unknown>((resolve, reject) => {
      const addedAtMs = performance.now();
      this.queue.push({
        addedAtMs,
        deadlineMs: sinceMs === undefined ? addedAtMs + DATABASE_DEADLINE_MS : deadlineOf(sinceMs),
        isSynced,
        isOne: scope === undefined,
        origin,
        work: inContext,
        onCommit: observer?.bind(observer.onCommit),
        resolve,
        reject,
      });
      this.draining ??= this.drain();
    }) as Promise<T>;
  }

  /** Runs what waits first; then nothing is on its way to the disk any more. */
  async close(): Promise<void> {
    await this.draining;
    await this.flush.close();
  }

  /** Group commit: what waits together is committed together, each answered after the commit. */
  private async drain(): Promise<void> {
    await sleep(0);
    while (this.queue.length > 0) {
      const group = await this.begin();
      const untilMs = performance.now() + MAX_HOLD_MS;
      try {
        if (group.length > 0) await this.runGroup(group, untilMs);
      } catch (error) {
        this.rollBack();
        this.abort(group, error);
      }
      if (performance.now() >= untilMs) await yieldToOthers();
    }
    // In the same step as the last look at the queue: a later caller begins anew.
    this.draining = undefined;
  }

  /**
   * Takes the write lock; other processes may hold it, and waiting for them must not block this one. Until then each waits
   * until its own deadline.
   * @returns those that have the lock now; none where nothing waits any more.
   */
  private async begin(): Promise<readonly Job[]> {
    while (this.queue.length > 0) {
      const group = this.queue.slice(0, MAX_GROUP);
      const isSynced = group.some((job) => job.isSynced);
      try {
        if (isSynced !== this.isSynced) this.database.setSynced(isSynced);
        this.isSynced = isSynced;
        if (this.database.file.lost !== undefined) throw this.database.file.lost;
        this.writes.values('BEGIN IMMEDIATE');
        this.queue.splice(0, group.length);
        return group;
      } catch (error) {
        if (!isBusy(error)) {
          this.abort(this.queue.splice(0, group.length), error);
          continue;
        }
        const nextTryMs = performance.now() + LOCK_RETRY_MS;
        const waiting = this.queue.splice(0);
        this.queue.push(...waiting.filter(({ deadlineMs }) => deadlineMs >= nextTryMs));
        this.abort(
          waiting.filter(({ deadlineMs }) => deadlineMs < nextTryMs),
          error,
        );
        await sleep(Math.random() * LOCK_RETRY_MS);
      }
    }
    return [];
  }

  /** Each is undone alone where it fails, and answered when all the others are committed. Those that are left wait again. */
  private async runGroup(jobs: readonly Job[], untilMs: number): Promise<void> {
    const done: Job[] = [];
    let left: readonly Job[] = [];
    for (const [index, job] of jobs.entries()) {
      if (index > 0 && performance.now() >= untilMs) {
        left = jobs.slice(index);
        break;
      }
      if (performance.now() > job.deadlineMs) {
        this.abort([job], databaseUnavailable(new Error('The transaction has waited too long.')));
        continue;
      }
      const tx = new SqliteTransaction(this.writes, job.origin);
      try {
        // A result that is there at once is not awaited: each turn of waiting costs as much as a short statement.
        const running = job.isOne ? job.work(tx) : this.runInSavepoint(job, tx);
        job.result = isPromise(running) ? await running : running;
        if (job.isOne) tx.requireOpen();
        done.push(job);
      } catch (error) {
        this.abort([job], error);
        const isUndone = !job.isOne || !tx.hasWritten;
        if (isUndone && this.writes.inTransaction) continue;
        this.rollBack();
        this.abort([...done, ...jobs.slice(index + 1)], databaseUnavailable(error));
        return;
      } finally {
        tx.end();
      }
    }
    this.commit(done);
    this.queue.unshift(...left);
  }

  /** @throws {ServiceUnavailableError} 503: the work was not done in time. From then on its statements are refused. */
  private async runInSavepoint(job: Job, tx: SqliteTransaction): Promise<unknown> {
    this.writes.values('SAVEPOINT job');
    try {
      const running = job.work(tx);
      const result = isPromise(running) ? await beforeDeadline(running, job.deadlineMs) : running;
      tx.requireOpen();
      tx.end();
      this.writes.values('RELEASE job');
      return result;
    } catch (error) {
      tx.end();
      this.writes.undo('job');
      throw error;
    }
  }

  private commit(done: readonly Job[]): void {
    const beganAtMs = performance.now();
    try {
      const lost = this.database.file.look();
      if (lost !== undefined) throw lost;
      this.writes.values('COMMIT');
    } catch (error) {
      this.rollBack();
      this.abort(done, error);
      return;
    }
    this.database.outage.succeed();
    for (const job of done) {
      job.onCommit?.(beganAtMs);
      job.resolve(job.result);
    }
    if (!this.isSynced) this.flush.start();
  }

  /** After some errors (disk full) SQLite has done so itself. */
  private rollBack(): void {
    if (this.writes.inTransaction) this.writes.values('ROLLBACK');
  }

  private abort(jobs: readonly Job[], reason: unknown): void {
    for (const job of jobs) job.reject(this.database.toApiError(reason, job.addedAtMs));
  }
}
