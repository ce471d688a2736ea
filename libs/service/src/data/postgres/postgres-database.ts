import { type MaybePromise, ServiceUnavailableError } from '@items/conventions';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { NO_LOG, type StoreLog } from '../outages/store-log.js';
import { DatabaseOutage } from '../database/database-outage.js';
import {
  DATABASE_DEADLINE_MS,
  databaseUnavailable,
  deadlineOf,
  isUnavailable,
} from '../database/database-unavailable.js';
import type { DatabaseObserver } from '../database/database-observer.js';
import {
  Database,
  type DatabaseUse,
  type RowValues,
  type SqlValue,
  type Transaction,
  type ValueReader,
} from '../database/database.js';
import { codeOf } from '../database/error-codes.js';
import { Batched } from '../database/batched.js';
import { execute, PostgresConnections } from './postgres-connections.js';
import { CANCELED, errorOfServer, isConnectionReusable, isRetryable, READ_ONLY, translate } from './postgres-errors.js';
import type { PostgresQuery } from './postgres-query.js';
import { beginServing, STATEMENT_TIMEOUT_MS } from './postgres-settings.js';
import { type InContext, observedBy, runIn } from '../database/observed-callers.js';
import type { Origin } from '../database/origin.js';
import type { Listeners } from '../database/slow-statements.js';
import { PostgresTransaction, slowReaderOn } from './postgres-transaction.js';
import { statementTooSlow, tooSlow } from '../database/too-slow.js';
import { beforeDeadline, timeLeft } from '../database/transaction-deadline.js';
import { inScope, requireOutside } from '../database/transaction-scope.js';
import { FairExecutor } from '../database/fair-executor.js';
import { poolOf } from './typeorm-pool.js';

const MAX_ATTEMPTS = 3;
/** Low, so that most connections of the pool stay free. */
const MAX_SLOW_READS = 4;
/** A write that has waited longer is not batched, because a batch gets a new deadline. */
const GATHERED_WAIT_MS = 500;
/** Time for the server to cancel a slow read before its connection is closed. */
const SLOW_READ_GRACE_MS = 500;

export interface PostgresOptions extends Listeners {
  readonly settings?: 'session' | 'transaction';
}

export class PostgresDatabase extends Database {
  override readonly dialect = 'postgres';
  private readonly connections: PostgresConnections;
  private readonly gathered: { readonly inFlight: number }[] = [];
  private readonly slowReads = new FairExecutor(MAX_SLOW_READS, tooSlow);
  private readonly outage: DatabaseOutage;
  private readonly settings: 'session' | 'transaction';
  private readonly observer: DatabaseObserver | undefined;

  constructor(
    private readonly pooled: DataSource,
    log: StoreLog = NO_LOG,
    { settings = 'session', listener, observer }: PostgresOptions = {},
  ) {
    super();
    this.settings = settings;
    this.observer = observer;
    this.outage = new DatabaseOutage(log);
    this.connections = new PostgresConnections(poolOf(pooled), listener, () => this.outage.isOn);
  }

  override async query<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]> {
    if (this.settings === 'transaction') return this.unscoped((tx) => tx.query<Row>(sql, params));
    return (await this.ran(sql, params)).named as Row[];
  }

  override async readValues(sql: string, params?: readonly SqlValue[]): Promise<RowValues[]> {
    if (this.settings === 'transaction') return super.readValues(sql, params);
    return (await this.ran(sql, params)).rows;
  }

  override readSlowly<Result>(
    fairnessKey: string,
    work: (reader: ValueReader) => MaybePromise<Result>,
    sinceMs = performance.now(),
  ): Promise<Result> {
    const deadlineMs = sinceMs + DATABASE_DEADLINE_MS;
    return this.slowReads.run(fairnessKey, deadlineMs, async () => {
      try {
        return await this.attempt((tx) => work(slowReaderOn(tx, deadlineMs)), deadlineMs + SLOW_READ_GRACE_MS);
      } catch (thrown) {
        const error = errorOfServer(thrown);
        // A missed deadline proves no outage: the server may still be cancelling the read.
        const isLate = performance.now() >= deadlineMs;
        throw isLate || codeOf(error) === CANCELED ? tooSlow(error) : this.toApiError(error, sinceMs);
      }
    });
  }

  override async transaction<T>(work: (tx: Transaction) => MaybePromise<T>, origin?: Origin): Promise<T> {
    requireOutside(this);
    return this.unscoped((tx) => inScope(this, () => work(tx)), origin);
  }

  override async autocommit<T>(work: (tx: Transaction) => MaybePromise<T>, origin?: Origin): Promise<T> {
    requireOutside(this);
    // A pooler may run each statement on another server connection, so a transaction sends the settings.
    if (this.settings === 'transaction') return this.unscoped(work, origin);
    return this.repeated(
      (deadlineMs) =>
        work({
          isAutocommit: true,
          origin,
          query: async <Row>(sql: string, params?: readonly SqlValue[]) =>
            (await this.runAlone(sql, params, deadlineMs)).named as Row[],
          savepoint: () => Promise.reject(new Error('A transaction of one statement has no savepoints.')),
        }),
      origin?.sinceMs,
    );
  }

  override gathering<Item, Result>(
    work: (tx: Transaction, items: readonly Item[]) => MaybePromise<readonly Result[]>,
  ): (item: Item, origin?: Origin) => Promise<Result> {
    const { observer } = this;
    const alone = super.gathering(work);
    const gathered = new Batched<InContext<Item>, Result>((all) => {
      const [first, ...others] = all;
      const items = all.map(({ item }) => item);
      const run = (tx: Transaction): MaybePromise<readonly Result[]> =>
        work(observer === undefined ? tx : observedBy(others, tx, observer), items);
      return runIn(first?.enter, () => this.autocommit(run));
    });
    this.gathered.push(gathered);
    return async (item, origin) => {
      const { sinceMs } = origin ?? {};
      requireOutside(this);
      if (sinceMs !== undefined && performance.now() - sinceMs > GATHERED_WAIT_MS) return alone(item, origin);
      return gathered.add({ item, enter: observer?.bind((work) => work()) });
    };
  }

  /** Reports a timeout as an outage, because this statement is never slow. */
  override async ping(): Promise<void> {
    try {
      await this.query('SELECT 1');
    } catch (error) {
      throw error instanceof ServiceUnavailableError ? databaseUnavailable(error.cause) : error;
    }
  }

  override async close(): Promise<void> {
    this.outage.stop();
    await this.pooled.destroy();
  }

  override use(): DatabaseUse {
    const { waiting } = this.connections;
    const { totalCount: open, idleCount: idle, options } = this.connections.pool;
    const pool = { open, idle, waiting, max: options.max };
    const { isOn, causeNow: outageCause, totalFailures: failures } = this.outage;
    return { isUp: !isOn, outageCause, failures, pool };
  }

  /** Counts each batched item as an operation, so the limit of the backlog does not depend on batching. */
  override backlog(): number {
    const gathered = this.gathered.reduce((sum, { inFlight }) => sum + inFlight, 0);
    return this.connections.waiting + Math.max(0, gathered - this.connections.pool.options.max);
  }

  private toApiError(error: unknown, beganAtMs: number): unknown {
    const translated = translate(error);
    if (!isUnavailable(translated) || this.outage.fail(translated.cause, beganAtMs)) return translated;
    return statementTooSlow(translated.cause);
  }

  /** Callers must refuse nested transactions themselves. */
  private unscoped<T>(work: (tx: Transaction) => MaybePromise<T>, origin?: Origin): Promise<T> {
    return this.repeated((deadlineMs) => this.attempt(work, deadlineMs, origin), origin?.sinceMs);
  }

  /** Retries after a deadlock, a serialization failure, or a partition attached meanwhile. */
  private async repeated<T>(attempt: (deadlineMs: number) => MaybePromise<T>, sinceMs?: number): Promise<T> {
    const beganAtMs = performance.now();
    const deadlineMs = sinceMs === undefined ? beganAtMs + DATABASE_DEADLINE_MS : deadlineOf(sinceMs);
    for (let attempts = 1; ; attempts++) {
      try {
        const result = await attempt(deadlineMs);
        this.outage.succeed();
        return result;
      } catch (thrown) {
        const error = errorOfServer(thrown);
        if (attempts === MAX_ATTEMPTS || !isRetryable(error) || performance.now() > deadlineMs)
          throw this.toApiError(error, beganAtMs);
      }
    }
  }

  private async ran(sql: string, params?: readonly SqlValue[]): Promise<PostgresQuery> {
    const beganAtMs = performance.now();
    try {
      const query = await this.runAlone(sql, params, beganAtMs + DATABASE_DEADLINE_MS);
      this.outage.succeed();
      return query;
    } catch (error) {
      throw this.toApiError(error, beganAtMs);
    }
  }

  /**
   * The server's `statement_timeout` usually ends before the deadline. If less time is left than this timeout, a
   * transaction prevents a commit after a 503.
   */
  private async runAlone(
    sql: string,
    params: readonly SqlValue[] | undefined,
    deadlineMs: number,
  ): Promise<PostgresQuery> {
    const client = await this.connections.connect(deadlineMs);
    if (timeLeft(deadlineMs) <= STATEMENT_TIMEOUT_MS) {
      return this.attemptOn(client, () => this.connections.run(client, sql, params, timeLeft(deadlineMs)), deadlineMs);
    }
    try {
      const query = await this.connections.run(client, sql, params, timeLeft(deadlineMs));
      this.connections.release(client);
      return query;
    } catch (error) {
      this.connections.release(client, isConnectionReusable(error) ? undefined : (error as Error));
      throw error;
    }
  }

  private async attempt<T>(
    work: (tx: Transaction) => MaybePromise<T>,
    deadlineMs: number,
    origin?: Origin,
  ): Promise<T> {
    return this.attemptOn(await this.connections.connect(deadlineMs), work, deadlineMs, origin);
  }

  private async attemptOn<T>(
    client: pg.PoolClient,
    work: (tx: Transaction) => MaybePromise<T>,
    deadlineMs: number,
    origin?: Origin,
  ): Promise<T> {
    const tx = new PostgresTransaction(this.connections, client, deadlineMs, origin, this);
    let broken: Error | undefined;
    try {
      return await beforeDeadline(this.runOn(client, tx, work, deadlineMs), deadlineMs);
    } catch (error) {
      if (isUnavailable(error)) {
        // The server may hang, so no ROLLBACK is sent. The server rolls back when the connection ends.
        broken = error;
        client.end().catch(() => undefined);
      } else {
        await execute(client, 'ROLLBACK').catch((failure: unknown) => (broken = failure as Error));
        if (codeOf(error) === READ_ONLY) broken = error as Error;
      }
      throw error;
    } finally {
      tx.end();
      this.connections.release(client, broken);
    }
  }

  private async runOn<T>(
    client: pg.PoolClient,
    tx: PostgresTransaction,
    work: (tx: Transaction) => MaybePromise<T>,
    deadlineMs: number,
  ): Promise<T> {
    await execute(client, beginServing(this.settings, timeLeft(deadlineMs)));
    const result = await work(tx);
    tx.requireOpen();
    tx.end();
    const beganAtMs = performance.now();
    await execute(client, 'COMMIT');
    this.observer?.onCommit(beganAtMs);
    return result;
  }
}
