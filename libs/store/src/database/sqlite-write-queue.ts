import { setTimeout as sleep } from 'node:timers/promises';

import { type Eventual, andThen, isPromise } from '@items/conventions';
import type { DataSource } from 'typeorm';

import type { DatabaseObserver } from './database-observer.js';
import { DATABASE_DEADLINE_MS } from './database-unavailable.js';
import type { SqlValue, Transaction } from './database.js';
import { LogFlush } from './log-flush.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { isBusy } from './sqlite-errors.js';
import { connectionOf } from './typeorm-connections.js';
import { SqliteWriteGroup } from './write-group.js';

/** Transactions that share one commit at most: a commit waits for the disk, so those that wait together share it. */
const MAX_GROUP = 64;
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
  tellable(error: unknown): Error;
}

interface Job {
  readonly deadlineMs: number;
  /** Whether the disk is waited for before it is answered. */
  readonly isSynced: boolean;
  readonly run: () => Eventual<void>;
  readonly commit: (beganAtMs: number) => void;
  readonly abort: (reason: unknown) => void;
}

/**
 * Runs the transactions of a SQLite database one after the other, on the connection that writes. Those that wait together
 * are committed together, and each succeeds or fails alone. ADR 52
 */
export class SqliteWriteQueue {
  private readonly group: SqliteWriteGroup;
  private readonly tx: Transaction;
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
    this.group = new SqliteWriteGroup(writes);
    this.flush = new LogFlush(database.logPath);
    this.tx = {
      group: this.group,
      query: (sql, params) => this.write(sql, params),
      savepoint: (work) => this.savepoint(work),
    };
  }

  /** How many transactions wait. */
  get waiting(): number {
    return this.queue.length + this.next;
  }

  /** @param isSynced whether its commit waits for the disk. */
  add<T>(work: (tx: Transaction) => Eventual<T>, isSynced: boolean): Promise<T> {
    const { observer } = this.database;
    const inContext = observer?.bind(work) ?? work;
    const onCommit = observer?.bind(observer.onCommit);
    return new Promise<T>((resolve, reject) => {
      let result: T;
      this.queue.push({
        deadlineMs: performance.now() + DATABASE_DEADLINE_MS,
        isSynced,
        run: () =>
          andThen(inContext(this.tx), (value) => {
            result = value;
          }),
        commit: (beganAtMs) => {
          onCommit?.(beganAtMs);
          this.database.succeed();
          resolve(result);
        },
        abort: (reason) => {
          reject(this.database.tellable(reason));
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

  private write<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]> {
    try {
      return Promise.resolve(this.group.runAny<Row>(sql, params));
    } catch (error) {
      return Promise.reject(error);
    }
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
      await this.runGroup(waiting);
    }
    // In the same step as the last look at the queue: a later caller begins anew.
    this.draining = undefined;
  }

  /** All at once; where one fails that has written, the others from the beginning, so that each can be undone alone. */
  private async runGroup(jobs: readonly Job[]): Promise<void> {
    const others = await this.tryTogether(jobs);
    if (others.length === 0) return;
    try {
      await this.begin(Math.max(...others.map(({ deadlineMs }) => deadlineMs)));
    } catch (error) {
      abortAll(others, error);
      return;
    }
    await this.runApart(others);
  }

  /** @returns those of which nothing is written, for another one has failed. */
  private async tryTogether(jobs: readonly Job[]): Promise<readonly Job[]> {
    const done: Job[] = [];
    for (const [index, job] of jobs.entries()) {
      const { attempts } = this.group;
      try {
        const running = job.run();
        // What is known at once is not waited for: each turn of waiting costs as much as a short statement.
        if (isPromise(running)) await running;
        done.push(job);
      } catch (error) {
        job.abort(error);
        // Most refusals (404, 412, 409) come before anything is written.
        if (this.isOpen() && this.group.attempts === attempts) continue;
        const others = [...done, ...jobs.slice(index + 1)];
        if (this.undoAll()) return others;
        abortAll(others, error);
        return [];
      }
    }
    this.commit(done);
    return [];
  }

  private async runApart(jobs: readonly Job[]): Promise<void> {
    const done: Job[] = [];
    for (const [index, job] of jobs.entries()) {
      try {
        await this.savepoint(job.run);
        done.push(job);
      } catch (error) {
        job.abort(error);
        if (this.isOpen()) continue;
        // SQLite has undone the work of the others as well.
        abortAll([...done, ...jobs.slice(index + 1)], error);
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
      this.group.settle();
      this.writes.run('COMMIT');
    } catch (error) {
      this.undoAll();
      abortAll(done, error);
      return;
    }
    for (const job of done) job.commit(beganAtMs);
    if (!this.isSynced) this.flush.start();
  }

  /** @returns whether there was anything left to undo: after some errors (disk full) SQLite has done so itself. */
  private undoAll(): boolean {
    this.group.forget();
    const isOpen = this.isOpen();
    if (isOpen) this.writes.run('ROLLBACK');
    return isOpen;
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

  private async savepoint<T>(work: () => Eventual<T>): Promise<T> {
    // What is undone later must not take with it what was kept before.
    this.group.settle();
    this.writes.run('SAVEPOINT work');
    try {
      const result = await work();
      this.group.settle();
      this.writes.run('RELEASE work');
      return result;
    } catch (error) {
      this.undo();
      throw error;
    }
  }

  /** After some errors (disk full) SQLite has rolled back everything itself, and there is nothing left to undo. */
  private undo(): void {
    this.group.forget();
    if (!this.isOpen()) return;
    this.writes.run('ROLLBACK TO work');
    this.writes.run('RELEASE work');
  }

  private isOpen(): boolean {
    return connectionOf(this.writer).inTransaction;
  }
}

function abortAll(jobs: readonly Job[], reason: unknown): void {
  for (const job of jobs) job.abort(reason);
}
