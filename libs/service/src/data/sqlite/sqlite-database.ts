import type { MaybePromise } from '@items/conventions';
import type { DataSource } from 'typeorm';
import { NO_LOG, type StoreLog } from '../outages/store-log.js';
import { DatabaseOutage } from '../database/database-outage.js';
import { DATABASE_DEADLINE_MS, isUnavailable } from '../database/database-unavailable.js';
import {
  Database,
  type DatabaseUse,
  type RowValues,
  type SqlValue,
  type Transaction,
  type ValueReader,
} from '../database/database.js';
import type { Origin } from '../database/origin.js';
import type { Listeners } from '../database/slow-statements.js';
import { SqliteConnection } from './sqlite-connection.js';
import { toCallerError } from './sqlite-errors.js';
import type { SqliteFile } from '../database/sqlite-file.js';
import type { SqliteSlowReader } from './sqlite-slow-reader.js';
import { SqliteWriteQueue } from './sqlite-write-queue.js';
import { statementTooSlow, tooSlow } from '../database/too-slow.js';
import { requireOutside } from '../database/transaction-scope.js';
import { FairExecutor } from '../database/fair-executor.js';
import { connectionOf } from './typeorm-connection.js';

const FILE_CHECK_MS = 1000;
const MAX_SLOW_READS = 1;

/**
 * One connection reads, and another runs queued writes. A single connection would read inside transactions of other
 * callers.
 */
export class SqliteDatabase extends Database {
  override readonly dialect = 'sqlite';
  private readonly reads: SqliteConnection;
  private readonly slowReads = new FairExecutor(MAX_SLOW_READS, tooSlow);
  private readonly queue: SqliteWriteQueue;
  private readonly outage: DatabaseOutage;
  private readonly fileCheck: NodeJS.Timeout;

  constructor(
    private readonly reader: DataSource,
    private readonly writer: DataSource,
    private readonly slowReader: SqliteSlowReader,
    private readonly file: SqliteFile,
    private readonly log: StoreLog = NO_LOG,
    { listener, observer }: Listeners = {},
  ) {
    super();
    this.reads = new SqliteConnection(connectionOf(reader), listener);
    this.outage = new DatabaseOutage(log);
    this.queue = new SqliteWriteQueue(new SqliteConnection(connectionOf(writer), listener), {
      file,
      observer,
      outage: this.outage,
      // Bypasses the cache of prepared statements, because a PRAGMA takes effect when it is prepared.
      setSynced: (isSynced) => connectionOf(writer).pragma(`synchronous = ${isSynced ? 'FULL' : 'NORMAL'}`),
      toApiError: (error, beganAtMs) => this.toApiError(error, beganAtMs),
    });
    this.fileCheck = setInterval(() => {
      const before = file.lost;
      const lost = file.check();
      if (lost !== undefined && lost !== before) this.outage.fail(lost);
    }, FILE_CHECK_MS).unref();
  }

  override query<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]> {
    try {
      return Promise.resolve(this.read<Row>(sql, params));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  override read<Row>(sql: string, params?: readonly SqlValue[]): Row[] {
    return this.reads.named<Row>(sql, this.readValues(sql, params));
  }

  override readValues(sql: string, params?: readonly SqlValue[]): RowValues[] {
    try {
      if (this.file.lost !== undefined) throw this.file.lost;
      const values = this.reads.values(sql, params);
      if (this.outage.isOn) this.outage.succeedToRead();
      return values;
    } catch (error) {
      throw this.toApiError(error);
    }
  }

  /** Not used for single reads: BEGIN and COMMIT cost 5 µs, more than reading one row. */
  override readTransaction<Result>(work: () => MaybePromise<Result>): MaybePromise<Result> {
    if (this.reads.inTransaction) return work();
    this.readValues('BEGIN');
    try {
      return work();
    } finally {
      this.reads.end();
    }
  }

  override readSlowly<Result>(
    fairnessKey: string,
    work: (reader: ValueReader) => MaybePromise<Result>,
    sinceMs = performance.now(),
  ): Promise<Result> {
    const deadlineMs = sinceMs + DATABASE_DEADLINE_MS;
    const reader: ValueReader = {
      dialect: this.dialect,
      readValues: async (sql, params = []) => {
        try {
          if (this.file.lost !== undefined) throw this.file.lost;
          return await this.slowReader.read(sql, params, deadlineMs);
        } catch (error) {
          throw this.toApiError(error);
        }
      },
      readTransaction: (reads) => reads(),
    };
    return this.slowReads.run(fairnessKey, deadlineMs, async () => work(reader));
  }

  override async transaction<T>(work: (tx: Transaction) => MaybePromise<T>, origin?: Origin): Promise<T> {
    requireOutside(this);
    return this.queue.add(work, { isSynced: true, scope: this, origin });
  }

  override async autocommit<T>(work: (tx: Transaction) => MaybePromise<T>, origin?: Origin): Promise<T> {
    requireOutside(this);
    return this.queue.add(work, { isSynced: true, scope: undefined, origin });
  }

  override async relaxedTransaction<T>(work: (tx: Transaction) => MaybePromise<T>, origin?: Origin): Promise<T> {
    requireOutside(this);
    return this.queue.add(work, { isSynced: false, scope: this, origin });
  }

  override async ping(): Promise<void> {
    await this.query('SELECT 1 FROM collection_lanes LIMIT 1');
  }

  override async close(): Promise<void> {
    await this.queue.close();
    clearInterval(this.fileCheck);
    this.outage.stop();
    await this.slowReader.close();
    await this.reader.destroy();
    await this.writer.destroy();
    this.renameOrphanedWal();
  }

  override use(): DatabaseUse {
    const waitingWrites = this.queue.waiting;
    const { isOn, causeNow: outageCause, totalFailures: failures } = this.outage;
    return { isUp: !isOn, outageCause, failures, waitingWrites, log: () => this.file.log() };
  }

  private renameOrphanedWal(): void {
    try {
      const log = this.file.renameOrphanedWal();
      if (log === undefined) return;
      this.log.warn({}, `the database file was deleted or replaced while in use: renamed its WAL to ${log}`);
    } catch (err) {
      this.log.error(
        { err },
        'could not rename the WAL of a deleted or replaced database file: delete the WAL before the next start',
      );
    }
  }

  private toApiError(error: unknown, beganAtMs?: number): Error {
    const translated = toCallerError(error);
    if (!isUnavailable(translated) || this.outage.fail(translated.cause, beganAtMs)) return translated;
    return statementTooSlow(translated.cause);
  }
}
