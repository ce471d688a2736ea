import type { Eventual } from '@items/conventions';
import type pg from 'pg';
import type { DataSource } from 'typeorm';

import { NO_LOG, type StoreLog } from '../outages/store-log.js';
import { ConnectionStatements } from './connection-statements.js';
import { DatabaseOutage } from './database-outage.js';
import { DATABASE_DEADLINE_MS, databaseUnavailable, isUnavailable } from './database-unavailable.js';
import type { DatabaseObserver } from './database-observer.js';
import { Database, type DatabaseUse, type RowValues, type SqlValue, type Transaction } from './database.js';
import { codeOf } from './error-code.js';
import { Gathered } from './gathered.js';
import { PostgresQuery } from './postgres-query.js';
import { BEGIN_SERVING } from './postgres-settings.js';
import type { StatementListener } from './slow-statements.js';
import { poolOf } from './typeorm-connections.js';

/** Attempts of a transaction that PostgreSQL ends for a deadlock or a conflict. */
const MAX_ATTEMPTS = 3;
/** SQLSTATEs after which the same transaction may succeed: serialization_failure, deadlock_detected. */
const RETRYABLE = new Set(['40001', '40P01']);
/** Classes and codes of SQLSTATE that say that the server cannot serve just now. */
const UNAVAILABLE = /^(08|53|57P|57014|58|25006|25P03|55P03|40001|40P01)/;

/** The server has become a standby. */
const READ_ONLY = '25006';

/** Time-outs are cut to these: Node keeps a list of timers for each length, and most statements begin at once. */
const TIMEOUT_STEP_MS = 100;

interface PostgresOptions {
  /** Whether connections are set to serve, or each transaction has to be. */
  readonly settings?: 'session' | 'transaction';
  readonly onStatement?: StatementListener;
  readonly observer?: DatabaseObserver | undefined;
}

/** PostgreSQL behind a pool, with statements prepared by name on each connection. */
export class PostgresDatabase extends Database {
  override readonly dialect = 'postgres';
  private readonly pool: pg.Pool;
  private readonly gathered: { readonly underWay: number }[] = [];
  private readonly statements = new WeakMap<pg.PoolClient, ConnectionStatements>();

  private readonly outage: DatabaseOutage;
  private readonly settings: 'session' | 'transaction';
  private readonly onStatement: StatementListener;
  private readonly observer: DatabaseObserver | undefined;

  constructor(
    private readonly pooled: DataSource,
    log: StoreLog = NO_LOG,
    { settings = 'session', onStatement = () => undefined, observer }: PostgresOptions = {},
  ) {
    super();
    this.settings = settings;
    this.onStatement = onStatement;
    this.observer = observer;
    this.pool = poolOf(pooled);
    this.outage = new DatabaseOutage(log);
  }

  override async query<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]> {
    if (this.settings === 'transaction') return this.transaction((tx) => tx.query<Row>(sql, params));
    return (await this.ran(sql, params)).named as Row[];
  }

  override async readValues(sql: string, params?: readonly SqlValue[]): Promise<RowValues[]> {
    if (this.settings === 'transaction') return super.readValues(sql, params);
    return (await this.ran(sql, params)).rows;
  }

  override transaction<T>(work: (tx: Transaction) => Eventual<T>): Promise<T> {
    return this.repeated((deadlineMs) => this.attempt(work, deadlineMs));
  }

  override transactionOfOne<T>(work: (tx: Transaction) => Eventual<T>): Promise<T> {
    // A pooler may give each statement another connection, whose settings are not those to serve with.
    if (this.settings === 'transaction') return this.transaction(work);
    return this.repeated((deadlineMs) =>
      work({
        group: undefined,
        isAlone: true,
        query: async <Row>(sql: string, params?: readonly SqlValue[]) =>
          (await this.runAlone(sql, params, deadlineMs)).named as Row[],
        savepoint: () => Promise.reject(new Error('A transaction of one statement has no savepoints.')),
      }),
    );
  }

  override gathering<Item, Result>(
    work: (tx: Transaction, items: readonly Item[]) => Eventual<readonly Result[]>,
  ): (item: Item) => Promise<Result> {
    const { observer } = this;
    const gathered = new Gathered<InContext<Item>, Result>((all) => {
      const [first, ...others] = all;
      const items = all.map(({ item }) => item);
      return within(first?.enter, () =>
        this.transactionOfOne((tx) => work(observer === undefined ? tx : toldTo(others, tx, observer), items)),
      );
    });
    this.gathered.push(gathered);
    return (item) => gathered.add({ item, enter: observer?.bind((work) => work()) });
  }

  override async ping(): Promise<void> {
    await this.query('SELECT 1');
  }

  override async close(): Promise<void> {
    this.outage.stop();
    await this.pooled.destroy();
  }

  override use(): DatabaseUse {
    const { totalCount: open, idleCount: idle, waitingCount: waiting, options } = this.pool;
    const pool = { open, idle, waiting, max: options.max };
    const { isOn, causeNow: outageCause, failuresInAll: failures } = this.outage;
    return { isUp: !isOn, outageCause, failures, pool };
  }

  /** Each item that is gathered counts as if it had a statement of its own, so that as many are asked for as without. */
  override backlog(): number {
    const gathered = this.gathered.reduce((sum, { underWay }) => sum + underWay, 0);
    return this.pool.waitingCount + Math.max(0, gathered - this.pool.options.max);
  }

  /** What a caller hears of an error; of a server that is down, the log hears as well. */
  private told(error: unknown): unknown {
    const translated = translate(error);
    if (isUnavailable(translated)) this.outage.fail(translated.cause);
    return translated;
  }

  /** @throws {ServiceUnavailableError} whatever it is that keeps us out. */
  private connect(): Promise<pg.PoolClient> {
    // By a callback: the pool's own promise is three.
    return new Promise((resolve, reject) => {
      this.pool.connect((error, client) => {
        if (client === undefined) reject(databaseUnavailable(error));
        else resolve(client);
      });
    });
  }

  /** What is ended for a deadlock or a conflict is done anew. */
  private async repeated<T>(attempt: (deadlineMs: number) => Eventual<T>): Promise<T> {
    const deadlineMs = performance.now() + DATABASE_DEADLINE_MS;
    for (let attempts = 1; ; attempts++) {
      try {
        const result = await attempt(deadlineMs);
        this.outage.succeed();
        return result;
      } catch (error) {
        if (attempts === MAX_ATTEMPTS || !RETRYABLE.has(codeOf(error)) || performance.now() > deadlineMs)
          throw this.told(error);
      }
    }
  }

  private async ran(sql: string, params?: readonly SqlValue[]): Promise<PostgresQuery> {
    try {
      const query = await this.runAlone(sql, params, performance.now() + DATABASE_DEADLINE_MS);
      this.outage.succeed();
      return query;
    } catch (error) {
      throw this.told(error);
    }
  }

  /** A statement that is a transaction by itself. */
  private async runAlone(
    sql: string,
    params: readonly SqlValue[] | undefined,
    deadlineMs: number,
  ): Promise<PostgresQuery> {
    const client = await this.connect();
    try {
      const query = await this.run(client, sql, params, timeLeft(deadlineMs));
      this.release(client);
      return query;
    } catch (error) {
      this.release(client, isOfStatement(error) ? undefined : (error as Error));
      throw error;
    }
  }

  private statementsOf(client: pg.PoolClient): ConnectionStatements {
    const known = this.statements.get(client);
    if (known !== undefined) return known;
    const fresh = new ConnectionStatements();
    this.statements.set(client, fresh);
    return fresh;
  }

  /** @param broken why the connection cannot be used again. */
  private release(client: pg.PoolClient, broken?: Error): void {
    client.release(broken ?? this.statementsOf(client).isWornOut);
  }

  private async run(
    client: pg.PoolClient,
    sql: string,
    params: readonly SqlValue[] = [],
    timeoutMs?: number,
  ): Promise<PostgresQuery> {
    const query = new PostgresQuery(this.statementsOf(client).get(sql), params, timeoutMs);
    const beganAtMs = performance.now();
    try {
      await submitted(client, query);
      this.onStatement(sql, beganAtMs);
      return query;
    } catch (error) {
      // One that the server has not answered is part of an outage, which tells of itself.
      if (!isUnavailable(error)) this.onStatement(sql, beganAtMs);
      throw error;
    }
  }

  /** Past the deadline the connection is ended, and with it whatever the work is waiting for. */
  private async attempt<T>(work: (tx: Transaction) => Eventual<T>, deadlineMs: number): Promise<T> {
    const client = await this.connect();
    let broken: Error | undefined;
    const timer = setTimeout(() => {
      broken = databaseUnavailable(new Error('The transaction took too long.'));
      client.end().catch(() => undefined);
    }, deadlineMs - performance.now());
    try {
      await ask(client, this.settings === 'transaction' ? BEGIN_SERVING : 'BEGIN');
      const result = await work(this.transactionOn(client));
      const beganAtMs = performance.now();
      const { command } = await ask(client, 'COMMIT');
      this.observer?.onCommit(beganAtMs);
      // PostgreSQL rolls back, and calls it no error, where the work has passed over a statement that failed.
      if (command !== 'COMMIT')
        throw new Error('The transaction could not be committed: a statement in it had failed.');
      return result;
    } catch (error) {
      if (broken !== undefined) throw broken;
      await ask(client, 'ROLLBACK').catch((failure: unknown) => (broken = failure as Error));
      if (codeOf(error) === READ_ONLY) broken = error as Error;
      throw error;
    } finally {
      clearTimeout(timer);
      this.release(client, broken);
    }
  }

  private transactionOn(client: pg.PoolClient): Transaction {
    return {
      group: undefined,
      query: async <Row>(sql: string, params?: readonly SqlValue[]) =>
        (await this.run(client, sql, params)).named as Row[],
      savepoint: async (work) => {
        await ask(client, 'SAVEPOINT work');
        try {
          const result = await work();
          await ask(client, 'RELEASE work');
          return result;
        } catch (error) {
          await ask(client, 'ROLLBACK TO work');
          await ask(client, 'RELEASE work');
          throw error;
        }
      },
    };
  }
}

/** An item, and what runs in the asynchronous context of its caller. */
interface InContext<Item> {
  readonly item: Item;
  readonly enter: (<Result>(work: () => Result) => Result) | undefined;
}

function within<Result>(enter: InContext<unknown>['enter'], work: () => Result): Result {
  return enter === undefined ? work() : enter(work);
}

/** The transaction, of whose statements each of these callers hears as if it were theirs alone. */
function toldTo(callers: readonly InContext<unknown>[], tx: Transaction, observer: DatabaseObserver): Transaction {
  return {
    ...tx,
    query: async <Row>(sql: string, params?: readonly SqlValue[]) => {
      const beganAtMs = performance.now();
      try {
        return await tx.query<Row>(sql, params);
      } finally {
        for (const { enter } of callers) {
          within(enter, () => {
            observer.onStatement(sql, beganAtMs);
          });
        }
      }
    },
  };
}

/** @throws as {@link ask} */
function submitted(client: pg.PoolClient, query: PostgresQuery): Promise<void> {
  return new Promise((resolve, reject) => {
    query.callback = (error) => {
      if (error === undefined) resolve();
      else reject(refusal(error));
    };
    client.query(query);
  });
}

function timeLeft(deadlineMs: number): number {
  const leftMs = deadlineMs - performance.now();
  return leftMs < TIMEOUT_STEP_MS ? Math.max(1, leftMs) : Math.floor(leftMs / TIMEOUT_STEP_MS) * TIMEOUT_STEP_MS;
}

/** @throws {ServiceUnavailableError} what the server has not said, the connection has: it is cut, or too slow. */
async function ask(client: pg.PoolClient, query: string): Promise<pg.QueryResult<object>> {
  try {
    return await client.query<object>(query);
  } catch (error) {
    throw refusal(error);
  }
}

function refusal(error: unknown): Error {
  return isFromServer(error) ? (error as Error) : databaseUnavailable(error);
}

function isFromServer(error: unknown): boolean {
  return error instanceof Error && 'severity' in error;
}

/** The connection is as good as before: not where its server can only be read, and another one may be written to. */
function isOfStatement(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR' && codeOf(error) !== READ_ONLY;
}

/** 503 for what the server says of itself; what it says of a statement stays as it is. */
function translate(error: unknown): unknown {
  return isFromServer(error) && UNAVAILABLE.test(codeOf(error)) ? databaseUnavailable(error) : error;
}
