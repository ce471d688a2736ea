import { AsyncResource } from 'node:async_hooks';
import { setImmediate as yieldToEventLoop, setTimeout as sleep } from 'node:timers/promises';
import { type MaybePromise, isPromise } from '@items/conventions';
import type { DatabaseObserver } from '../database/database-observer.js';
import type { DatabaseOutage } from '../database/database-outage.js';
import { DATABASE_DEADLINE_MS, databaseUnavailable, deadlineOf } from '../database/database-unavailable.js';
import type { Transaction } from '../database/database.js';
import type { Origin } from '../database/origin.js';
import { WalFlush } from './wal-flush.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { isBusy } from './sqlite-errors.js';
import type { SqliteFile } from '../database/sqlite-file.js';
import { SqliteTransaction } from './sqlite-transaction.js';
import { beforeDeadline } from '../database/transaction-deadline.js';
import { inScope } from '../database/transaction-scope.js';

/** Maximum number of transactions per commit. Each commit waits for the disk. */
const MAX_GROUP = 64;
/**
 * After this time, the finished part of a group commits and the event loop continues. The rest joins the next group.
 */
const MAX_HOLD_MS = 10;
const LOCK_RETRY_MS = 20;

export interface QueuedDatabase {
  readonly file: SqliteFile;
  readonly observer?: DatabaseObserver | undefined;
  readonly outage: DatabaseOutage;
  /** Sets whether commits wait for the disk. SQLite refuses this change inside a transaction. */
  setSynced(isSynced: boolean): void;
  toApiError(error: unknown, beganAtMs: number): Error;
}

export interface QueuedWork {
  readonly isSynced: boolean;
  /**
   * Database whose transactions must not nest. Undefined for autocommit work: it runs an app's code before its first
   * write, and only this write can be refused. A refusal leaves nothing to undo, so no savepoint is needed.
   */
  readonly scope: object | undefined;
  readonly origin: Origin | undefined;
}

interface Job extends QueuedWork {
  readonly addedAtMs: number;
  readonly deadlineMs: number;
  readonly work: (tx: Transaction) => MaybePromise<unknown>;
  readonly onCommit: ((beganAtMs: number) => void) | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
  result?: unknown;
  /** Set if the transaction failed alone. */
  failure?: { readonly reason: unknown };
}

/**
 * Runs transactions one after the other and commits several together. A failed transaction does not affect the others.
 * ADR 70
 */
export class SqliteWriteQueue {
  private readonly walFlush: WalFlush;
  private readonly queue: Job[] = [];
  private draining: Promise<void> | undefined;
  private isSynced = true;

  constructor(
    private readonly writes: SqliteConnection,
    private readonly database: QueuedDatabase,
  ) {
    this.walFlush = new WalFlush(database.file.walPath);
  }

  get waiting(): number {
    return this.queue.length;
  }

  add<T>(work: (tx: Transaction) => MaybePromise<T>, { isSynced, scope, origin }: QueuedWork): Promise<T> {
    const { observer } = this.database;
    const { sinceMs } = origin ?? {};
    const inContext =
      scope === undefined
        ? (observer?.bind(work) ?? work)
        : // Runs in the async context of its caller, and not of the caller who started the queue.
          AsyncResource.bind((tx: Transaction) => inScope(scope, () => work(tx)));
    return new Promise<unknown>((resolve, reject) => {
      const addedAtMs = performance.now();
      this.queue.push({
        addedAtMs,
        deadlineMs: sinceMs === undefined ? addedAtMs + DATABASE_DEADLINE_MS : deadlineOf(sinceMs),
        isSynced,
        scope,
        origin,
        work: inContext,
        onCommit: observer?.bind(observer.onCommit),
        resolve,
        reject,
      });
      this.draining ??= this.drain();
    }) as Promise<T>;
  }

  async close(): Promise<void> {
    await this.draining;
    await this.walFlush.close();
  }

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
      if (performance.now() >= untilMs) await yieldToEventLoop();
    }
    // No await since the last check, so a later caller starts a new drain.
    this.draining = undefined;
  }

  /**
   * Waits without blocking for the write lock, which another process may hold. Rejects transactions whose deadline
   * passes meanwhile.
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

  /**
   * Rolls back only the failed transaction if possible, else the whole group. Settles the transactions after the common
   * commit: a failed one may have read changes of an earlier one. Transactions that did not start in time return to the
   * queue.
   */
  private async runGroup(jobs: readonly Job[], untilMs: number): Promise<void> {
    const ended: Job[] = [];
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
      const tx = new SqliteTransaction(this.writes, job.origin, job.scope);
      const isSingleWrite = job.scope === undefined;
      try {
        // Awaiting a synchronous result would delay the queue.
        const running = isSingleWrite ? job.work(tx) : this.runInSavepoint(job, tx);
        job.result = isPromise(running) ? await running : running;
        if (isSingleWrite) tx.requireOpen();
        ended.push(job);
      } catch (error) {
        const isUndone = !isSingleWrite || !tx.hasWritten;
        if (isUndone && this.writes.inTransaction) {
          job.failure = { reason: error };
          ended.push(job);
          continue;
        }
        this.rollBack();
        this.abort([job], error);
        this.abort([...ended, ...jobs.slice(index + 1)], databaseUnavailable(error));
        return;
      } finally {
        tx.end();
      }
    }
    this.commit(ended);
    this.queue.unshift(...left);
  }

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

  private commit(ended: readonly Job[]): void {
    const beganAtMs = performance.now();
    try {
      const lost = this.database.file.check();
      if (lost !== undefined) throw lost;
      this.writes.values('COMMIT');
    } catch (error) {
      this.rollBack();
      this.abort(ended, error);
      return;
    }
    this.database.outage.succeed();
    for (const job of ended) {
      if (job.failure !== undefined) this.abort([job], job.failure.reason);
      else {
        job.onCommit?.(beganAtMs);
        job.resolve(job.result);
      }
    }
    if (!this.isSynced) this.walFlush.start();
  }

  /** Does nothing if SQLite itself rolled back after an error such as a full disk. */
  private rollBack(): void {
    if (this.writes.inTransaction) this.writes.values('ROLLBACK');
  }

  private abort(jobs: readonly Job[], reason: unknown): void {
    for (const job of jobs) job.reject(this.database.toApiError(reason, job.addedAtMs));
  }
}
