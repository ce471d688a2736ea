import { setTimeout as sleep } from 'node:timers/promises';

import { ServiceUnavailableError } from '@items/errors';
import type { DataSource } from 'typeorm';

import { DATABASE_DEADLINE_MS, databaseUnavailable } from './database-unavailable.js';
import { Database, type SqlValue, type Transaction } from './database.js';
import { SqliteConnection } from './sqlite-connection.js';
import { connectionOf } from './sqlite-source.js';

/** Transactions that share one commit at most: a commit waits for the disk, so those that wait together share it. */
const MAX_GROUP = 64;
/** Longest pause before the write lock, held by another process, is asked for again, in milliseconds. */
const LOCK_RETRY_MS = 20;
/** Codes of better-sqlite3 that say that the file cannot be used just now. */
const UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|PROTOCOL)/;

interface Job {
  readonly deadlineMs: number;
  readonly run: () => Promise<void>;
  readonly commit: () => void;
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
  private readonly queue: Job[] = [];
  private draining: Promise<void> | undefined;

  constructor(
    private readonly reader: DataSource,
    private readonly writer: DataSource,
  ) {
    super(reader);
    this.reads = new SqliteConnection(connectionOf(reader));
    this.writes = new SqliteConnection(connectionOf(writer));
  }

  override query<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]> {
    try {
      return Promise.resolve(this.reads.run<Row>(sql, params));
    } catch (error) {
      return Promise.reject(translate(error));
    }
  }

  override transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let result: T;
      this.queue.push({
        deadlineMs: Date.now() + DATABASE_DEADLINE_MS,
        run: async () => {
          result = await this.savepoint(() => work(this.tx));
        },
        commit: () => {
          resolve(result);
        },
        abort: (reason) => {
          reject(translate(reason));
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
    await this.reader.destroy();
    await this.writer.destroy();
  }

  private readonly tx: Transaction = {
    query: (sql, params) => this.writes.query(sql, params),
    savepoint: (work) => this.savepoint(work),
  };

  /** Group commit: what waits together is committed together, each answered after the commit. */
  private async drain(): Promise<void> {
    await sleep(0);
    while (this.queue.length > 0) {
      const waiting = this.queue.splice(0, MAX_GROUP);
      try {
        await this.begin(waiting[0]?.deadlineMs ?? 0);
      } catch (error) {
        for (const job of waiting) job.abort(error);
        continue;
      }
      await this.runGroup(waiting);
    }
    // In the same step as the last look at the queue: whoever comes later begins anew.
    this.draining = undefined;
  }

  private async runGroup(jobs: readonly Job[]): Promise<void> {
    const done: Job[] = [];
    for (const [index, job] of jobs.entries()) {
      try {
        await job.run();
        done.push(job);
      } catch (error) {
        job.abort(error);
        if (this.isOpen()) continue;
        // SQLite has undone the work of the others as well.
        for (const lost of [...done, ...jobs.slice(index + 1)]) lost.abort(error);
        return;
      }
    }
    try {
      this.writes.run('COMMIT');
    } catch (error) {
      if (this.isOpen()) this.writes.run('ROLLBACK');
      for (const job of done) job.abort(error);
      return;
    }
    for (const job of done) job.commit();
  }

  /** Takes the write lock; other processes may hold it, and waiting for them must not block this one. */
  private async begin(deadlineMs: number): Promise<void> {
    for (;;) {
      try {
        this.writes.run('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (!isBusy(error) || Date.now() + LOCK_RETRY_MS > deadlineMs) throw error;
        await sleep(Math.random() * LOCK_RETRY_MS);
      }
    }
  }

  private async savepoint<T>(work: () => Promise<T>): Promise<T> {
    this.writes.run('SAVEPOINT work');
    try {
      const result = await work();
      this.writes.run('RELEASE work');
      return result;
    } catch (error) {
      this.undo();
      throw error;
    }
  }

  /** After some errors (disk full) SQLite has rolled back everything itself, and there is nothing left to undo. */
  private undo(): void {
    if (!this.isOpen()) return;
    this.writes.run('ROLLBACK TO work');
    this.writes.run('RELEASE work');
  }

  private isOpen(): boolean {
    return connectionOf(this.writer).inTransaction;
  }
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
  if (UNAVAILABLE.test(codeOf(error)) || (error instanceof TypeError && /not open/.test(error.message))) {
    return databaseUnavailable(error);
  }
  return error as Error;
}
