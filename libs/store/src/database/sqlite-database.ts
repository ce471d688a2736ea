import { setTimeout as sleep } from 'node:timers/promises';

import { type Eventual, andThen, isPromise } from '@items/conventions';
import { ServiceUnavailableError } from '@items/errors';
import type { DataSource } from 'typeorm';

import { NO_LOG, type StoreLog } from '../outages/store-log.js';
import { DatabaseLostError, DatabaseOutage } from './database-outage.js';
import { DATABASE_DEADLINE_MS, databaseUnavailable, isUnavailable } from './database-unavailable.js';
import type { DatabaseObserver } from './database-observer.js';
import { Database, type DatabaseUse, type RowValues, type SqlValue, type Transaction } from './database.js';
import { LogFlush } from './log-flush.js';
import type { StatementListener } from './slow-statements.js';
import { SqliteConnection } from './sqlite-connection.js';
import type { SqliteFile } from './sqlite-file.js';
import { connectionOf } from './typeorm-connections.js';
import { SqliteWriteGroup } from './write-group.js';

/** Transactions that share one commit at most: a commit waits for the disk, so those that wait together share it. */
const MAX_GROUP = 64;
/** Longest pause before the write lock, held by another process, is asked for again, in milliseconds. */
const LOCK_RETRY_MS = 20;
/** How often the files are looked after, where nothing is written. */
const LOOK_MS = 1000;
/** Codes of better-sqlite3 that say that the file cannot be used just now. */
const UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|PROTOCOL)/;

/** Who hears of statements. */
export interface SqliteListeners {
  readonly onStatement?: StatementListener;
  readonly observer?: DatabaseObserver | undefined;
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
 * SQLite in this process: a connection that only reads, and one that only writes, behind a queue. TypeORM's single
 * connection would let one request's rollback undo another's insert.
 */
export class SqliteDatabase extends Database {
  override readonly dialect = 'sqlite';
  private readonly reads: SqliteConnection;
  private readonly writes: SqliteConnection;
  private readonly group: SqliteWriteGroup;
  private readonly tx: Transaction;
  private readonly queue: Job[] = [];
  private draining: Promise<void> | undefined;
  private isSynced = true;
  private readonly flush: LogFlush;
  /** Transactions that are next, and wait for the lock. */
  private next = 0;
  private readonly outage: DatabaseOutage;
  private readonly looking: NodeJS.Timeout;
  private readonly observer: DatabaseObserver | undefined;
  /** Why the files are not those of everybody else any more. */
  private lost: DatabaseLostError | undefined;

  constructor(
    private readonly reader: DataSource,
    private readonly writer: DataSource,
    private readonly file: SqliteFile,
    private readonly log: StoreLog = NO_LOG,
    { onStatement, observer }: SqliteListeners = {},
  ) {
    super();
    this.reads = new SqliteConnection(connectionOf(reader), onStatement);
    this.writes = new SqliteConnection(connectionOf(writer), onStatement);
    this.group = new SqliteWriteGroup(this.writes);
    this.tx = {
      group: this.group,
      query: (sql, params) => this.write(sql, params),
      savepoint: (work) => this.savepoint(work),
    };
    this.flush = new LogFlush(file.logPath);
    this.outage = new DatabaseOutage(log);
    this.observer = observer;
    this.looking = setInterval(() => {
      this.look();
    }, LOOK_MS).unref();
  }

  override query<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]> {
    try {
      return Promise.resolve(this.read<Row>(sql, params));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  override read<Row>(sql: string, params?: readonly SqlValue[]): Row[] {
    return this.told(() => this.reads.run<Row>(sql, params));
  }

  override readValues(sql: string, params?: readonly SqlValue[]): RowValues[] {
    return this.told(() => this.reads.values(sql, params));
  }

  /** To begin to read, and to end, costs SQLite more (5 µs) than to read one row. */
  override together<Result>(work: () => Eventual<Result>): Eventual<Result> {
    if (!this.told(() => this.reads.begin())) return work();
    try {
      return work();
    } finally {
      this.reads.end();
    }
  }

  override readFirst<Row>(sql: string, params?: readonly SqlValue[]): Row[] {
    return this.told(() => this.reads.first<Row>(sql, params));
  }

  override transaction<T>(work: (tx: Transaction) => Eventual<T>): Promise<T> {
    return this.queued(work, true);
  }

  override unsyncedTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.queued(work, false);
  }

  private queued<T>(work: (tx: Transaction) => Eventual<T>, isSynced: boolean): Promise<T> {
    const { observer } = this;
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
          this.outage.succeed();
          resolve(result);
        },
        abort: (reason) => {
          reject(this.tellable(reason));
        },
      });
      this.draining ??= this.drain();
    });
  }

  override async ping(): Promise<void> {
    await this.query('SELECT 1 FROM collection_lanes LIMIT 1');
  }

  override async close(): Promise<void> {
    await this.draining;
    clearInterval(this.looking);
    await this.flush.close();
    this.outage.stop();
    await this.reader.destroy();
    await this.writer.destroy();
    this.putAsideLog();
  }

  override use(): DatabaseUse {
    const waitingWrites = this.queue.length + this.next;
    const { isOn, causeNow: outageCause, failuresInAll: failures } = this.outage;
    return { isUp: !isOn, outageCause, failures, waitingWrites, log: () => this.file.log() };
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
      this.look();
      if (this.lost !== undefined) throw this.lost;
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
    if (this.lost !== undefined) throw this.lost;
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

  /** Whether the files are still there: what is written to others would be lost with this process. */
  private look(): void {
    const problem = this.file.problem();
    if (problem === this.lost?.problem) return;
    this.lost = problem === undefined ? undefined : new DatabaseLostError(problem);
    if (this.lost !== undefined) this.outage.fail(this.lost);
  }

  private putAsideLog(): void {
    try {
      const log = this.file.putAsideLog();
      if (log === undefined) return;
      this.log.warn({}, `the database file is not the one that was in use: its log is now ${log}`);
    } catch (err) {
      this.log.error(
        { err },
        'the log of a database file that is gone is still there: delete it before the next start',
      );
    }
  }

  private told<Found>(read: () => Found): Found {
    if (this.lost !== undefined) throw this.tellable(this.lost);
    try {
      const found = read();
      this.outage.succeed();
      return found;
    } catch (error) {
      throw this.tellable(error);
    }
  }

  /** What a caller hears of an error; of a database that is down, the log hears as well. */
  private tellable(error: unknown): Error {
    const translated = translate(error);
    if (isUnavailable(translated)) this.outage.fail(translated.cause);
    return translated;
  }

  private isOpen(): boolean {
    return connectionOf(this.writer).inTransaction;
  }
}

function abortAll(jobs: readonly Job[], reason: unknown): void {
  for (const job of jobs) job.abort(reason);
}

function codeOf(error: unknown): string {
  // Not `instanceof`: the driver's errors may come from another realm.
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}

function translate(error: unknown): Error {
  if (error instanceof ServiceUnavailableError) return error;
  if (error instanceof DatabaseLostError) return databaseUnavailable(error);
  if (UNAVAILABLE.test(codeOf(error)) || (error instanceof TypeError && /not open/.test(error.message))) {
    return databaseUnavailable(error);
  }
  return error as Error;
}
