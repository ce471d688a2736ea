import { AsyncResource } from 'node:async_hooks';
import { setImmediate as yieldToOthers, setTimeout as sleep } from 'node:timers/promises';

import { type MaybePromise, thenMaybe, isPromise } from '@items/conventions';
import type { DataSource } from 'typeorm';

import type { DatabaseObserver } from './database-observer.js';
import { DATABASE_DEADLINE_MS, databaseUnavailable } from './database-unavailable.js';
import type { Transaction } from './database.js';
import { LogFlush } from './log-flush.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { isBusy } from './sqlite-errors.js';
import { SqliteTransaction } from './sqlite-transaction.js';
import { beforeDeadline } from './transaction-deadline.js';
import { inScope } from './transaction-scope.js';
import { connectionOf } from './typeorm-connections.js';

/** Transactions that share one commit at most: a commit waits for the disk, so those that wait together share it. */
const MAX_GROUP = 64;
/** After so long, what else the process has to do comes between two transactions of a group. */
const MAX_HOLD_MS = 10;
/** Longest pause before the write lock, held by another process, is asked for again, in milliseconds. */
const LOCK_RETRY_MS = 20;

/** What the queue has to know of the database whose transactions it runs, and tells it. */
export interface QueuedDatabase {
  /** The path of its log (WAL). */
  readonly logPath: string;
  readonly observer?: DatabaseObserver | undefined;
  /** @throws {DatabaseLostError} it was noticed that the files are not there any more. */
  requireFiles(): void;
  /** Looks whether they are there: what is written to others would be lost with this process. */
  look(): void;
  /** A transaction is committed. */
  succeed(): void;
  /** @returns what the caller hears of an error. */
  toApiError(error: unknown): Error;
}

/** How a transaction is run. */
export interface QueuedWork {
  /** Whether its commit waits for the disk. */
  readonly isSynced: boolean;
  /** The database whose transactions its work may not begin; undefined for work that runs no code of a caller. */
  readonly scope: object | undefined;
}

interface Job {
  readonly deadlineMs: number;
  /** Whether the disk is waited for before it is answered. */
  readonly isSynced: boolean;
  /** Whether it writes by one statement, or by several of which only the first can be refused: then it needs no savepoint. */
  readonly isOne: boolean;
  readonly run: (tx: Transaction) => MaybePromise<void>;
  readonly commit: (beganAtMs: number) => void;
  readonly abort: (reason: unknown) => void;
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
  /** Transactions that are next, and wait for the lock. */
  private next = 0;

  /** @param writes the connection of `writer`. */
  constructor(
    private readonly writer: DataSource,
    private readonly writes: SqliteConnection,
    private readonly database: QueuedDatabase,
  ) {
    this.flush = new LogFlush(database.logPath);
  }

  /** How many transactions wait. */
  get waiting(): number {
    return this.queue.length + this.next;
  }

  add<T>(work: (tx: Transaction) => MaybePromise<T>, { isSynced, scope }: QueuedWork): Promise<T> {
    const { observer } = this.database;
    const inContext =
      scope === undefined
        ? (observer?.bind(work) ?? work)
        : // In the asynchronous context of its caller, not of the caller who has set the queue going.
          AsyncResource.bind((tx: Transaction) => inScope(scope, () => work(tx)));
    const onCommit = observer?.bind(observer.onCommit);
    return new Promise<T>((resolve, reject) => {
      let result: T;
      this.queue.push({
        deadlineMs: performance.now() + DATABASE_DEADLINE_MS,
        isSynced,
        isOne: scope === undefined,
        run: (tx) =>
          thenMaybe(inContext(tx), (value) => {
            result = value;
          }),
        commit: (beganAtMs) => {
          onCommit?.(beganAtMs);
          this.database.succeed();
          resolve(result);
        },
        abort: (reason) => {
          reject(this.database.toApiError(reason));
        },
      });
      this.draining ??= this.drain();
    });
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
      const waiting = this.queue.splice(0, MAX_GROUP);
      this.next = waiting.length;
      try {
        this.sync(waiting);
        await this.begin(waiting[0]?.deadlineMs ?? 0);
      } catch (error) {
        abortAll(waiting, error);
        continue;
      } finally {
        this.next = 0;
      }
      try {
        await this.runGroup(waiting);
      } catch (error) {
        this.rollBack();
        abortAll(waiting, error);
      }
    }
    // In the same step as the last look at the queue: a later caller begins anew.
    this.draining = undefined;
  }

  /** Each is undone alone where it fails, and answered when all the others are committed. */
  private async runGroup(jobs: readonly Job[]): Promise<void> {
    const done: Job[] = [];
    let beganAtMs = performance.now();
    for (const [index, job] of jobs.entries()) {
      if (performance.now() - beganAtMs >= MAX_HOLD_MS) {
        await yieldToOthers();
        beganAtMs = performance.now();
      }
      if (performance.now() > job.deadlineMs) {
        job.abort(databaseUnavailable(new Error('The transaction has waited too long.')));
        continue;
      }
      const tx = new SqliteTransaction(this.writes);
      try {
        const running = job.isOne ? this.run(job, tx) : this.runInSavepoint(job, tx);
        // What is known at once is not waited for: each turn of waiting costs as much as a short statement.
        if (isPromise(running)) await running;
        done.push(job);
      } catch (error) {
        job.abort(error);
        const isUndone = !job.isOne || !tx.hasWritten;
        if (isUndone && this.writes.inTransaction) continue;
        this.rollBack();
        abortAll([...done, ...jobs.slice(index + 1)], databaseUnavailable(error));
        return;
      }
    }
    this.commit(done);
  }

  private commit(done: readonly Job[]): void {
    const beganAtMs = performance.now();
    try {
      this.database.look();
      this.database.requireFiles();
      this.writes.run('COMMIT');
    } catch (error) {
      this.rollBack();
      abortAll(done, error);
      return;
    }
    for (const job of done) job.commit(beganAtMs);
    if (!this.isSynced) this.flush.start();
  }

  /** After some errors (disk full) SQLite has done so itself. */
  private rollBack(): void {
    if (this.writes.inTransaction) this.writes.run('ROLLBACK');
  }

  /** Sets whether the commit waits for the disk: SQLite hears it outside of transactions only. */
  private sync(jobs: readonly Job[]): void {
    const isSynced = jobs.some((job) => job.isSynced);
    if (isSynced === this.isSynced) return;
    // Anew each time: it holds when it is prepared, not when it is run.
    connectionOf(this.writer).pragma(`synchronous = ${isSynced ? 'FULL' : 'NORMAL'}`);
    this.isSynced = isSynced;
  }

  /** Takes the write lock; other processes may hold it, and waiting for them must not block this one. */
  private async begin(deadlineMs: number): Promise<void> {
    this.database.requireFiles();
    for (;;) {
      try {
        this.writes.run('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() + LOCK_RETRY_MS > deadlineMs) throw error;
        await sleep(Math.random() * LOCK_RETRY_MS);
      }
    }
  }

  /** @throws {ServiceUnavailableError} 503: the work was not done in time. From then on its statements are refused. */
  private run(job: Job, tx: SqliteTransaction): MaybePromise<void> {
    try {
      const running = job.run(tx);
      if (isPromise(running)) return this.finish(tx, running, job.deadlineMs);
      tx.requireOpen();
    } catch (error) {
      tx.end();
      throw error;
    }
    tx.end();
  }

  private async finish(tx: SqliteTransaction, running: Promise<void>, deadlineMs: number): Promise<void> {
    try {
      await beforeDeadline(running, deadlineMs);
      tx.requireOpen();
    } finally {
      tx.end();
    }
  }

  private async runInSavepoint(job: Job, tx: SqliteTransaction): Promise<void> {
    this.writes.run('SAVEPOINT job');
    try {
      await this.run(job, tx);
      this.writes.run('RELEASE job');
    } catch (error) {
      this.writes.undo('job');
      throw error;
    }
  }
}

function abortAll(jobs: readonly Job[], reason: unknown): void {
  for (const job of jobs) job.abort(reason);
}
