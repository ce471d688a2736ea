import type pg from 'pg';
import type { DataSource } from 'typeorm';

import { DATABASE_DEADLINE_MS, databaseUnavailable } from './database-unavailable.js';
import { Database, type SqlValue, type Transaction } from './database.js';
import { poolOf } from './postgres-source.js';
import { StatementCache } from './statement-cache.js';

/** Attempts of a transaction that PostgreSQL ends for a deadlock or a conflict. */
const MAX_ATTEMPTS = 3;
/** SQLSTATEs after which the same transaction may succeed: serialization_failure, deadlock_detected. */
const RETRYABLE = new Set(['40001', '40P01']);
/** Classes and codes of SQLSTATE that say that the server cannot serve just now. */
const UNAVAILABLE = /^(08|53|57P|57014|58|25P03|55P03|40001|40P01)/;

type Statement = { readonly name?: string; readonly text: string };
/** The driver knows the time-out of one query, its types do not. */
type TimedQuery = pg.QueryConfig<unknown[]> & { readonly query_timeout?: number };

/** PostgreSQL behind a pool, with statements prepared by name on each connection. */
export class PostgresDatabase extends Database {
  override readonly dialect = 'postgres';
  private readonly pool: pg.Pool;
  private readonly statements = new StatementCache<Statement>((text, ordinal) =>
    ordinal === undefined ? { text } : { name: `s${String(ordinal)}`, text },
  );

  constructor(private readonly pooled: DataSource) {
    super(pooled);
    this.pool = poolOf(pooled);
  }

  override async query<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]> {
    const deadlineMs = Date.now() + DATABASE_DEADLINE_MS;
    try {
      const client = await this.connect();
      try {
        const rows = await this.run<Row>(client, sql, params, deadlineMs - Date.now());
        client.release();
        return rows;
      } catch (error) {
        client.release(isOfStatement(error) ? undefined : (error as Error));
        throw error;
      }
    } catch (error) {
      throw translate(error);
    }
  }

  override async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const deadlineMs = Date.now() + DATABASE_DEADLINE_MS;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(work, deadlineMs);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !RETRYABLE.has(codeOf(error)) || Date.now() > deadlineMs)
          throw translate(error);
      }
    }
  }

  override async ping(): Promise<void> {
    await this.query('SELECT 1');
  }

  override async close(): Promise<void> {
    await this.pooled.destroy();
  }

  /** @throws {ServiceUnavailableError} whatever it is that keeps us out. */
  private async connect(): Promise<pg.PoolClient> {
    try {
      return await this.pool.connect();
    } catch (error) {
      throw databaseUnavailable(error);
    }
  }

  private async run<Row>(
    client: pg.PoolClient,
    sql: string,
    params: readonly SqlValue[] = [],
    timeoutMs?: number,
  ): Promise<Row[]> {
    const config: TimedQuery = {
      ...this.statements.get(sql),
      values: params as unknown[],
      ...(timeoutMs !== undefined && { query_timeout: timeoutMs }),
    };
    const { rows } = await ask(client, config);
    return rows as Row[];
  }

  /** Past the deadline the connection is ended, and with it whatever the work is waiting for. */
  private async attempt<T>(work: (tx: Transaction) => Promise<T>, deadlineMs: number): Promise<T> {
    const client = await this.connect();
    let broken: Error | undefined;
    const timer = setTimeout(() => {
      broken = databaseUnavailable(new Error('The transaction took too long.'));
      client.end().catch(() => undefined);
    }, deadlineMs - Date.now());
    try {
      await ask(client, 'BEGIN');
      const result = await work(this.transactionOn(client));
      const { command } = await ask(client, 'COMMIT');
      // PostgreSQL rolls back, and calls it no error, where the work has passed over a statement that failed.
      if (command !== 'COMMIT')
        throw new Error('The transaction could not be committed: a statement in it had failed.');
      return result;
    } catch (error) {
      if (broken !== undefined) throw broken;
      await ask(client, 'ROLLBACK').catch((failure: unknown) => (broken = failure as Error));
      throw error;
    } finally {
      clearTimeout(timer);
      client.release(broken);
    }
  }

  private transactionOn(client: pg.PoolClient): Transaction {
    return {
      query: (sql, params) => this.run(client, sql, params),
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

/** @throws {ServiceUnavailableError} what the server has not said, the connection has: it is cut, or too slow. */
async function ask(client: pg.PoolClient, query: string | pg.QueryConfig<unknown[]>): Promise<pg.QueryResult<object>> {
  try {
    return await client.query<object>(query);
  } catch (error) {
    throw isFromServer(error) ? error : databaseUnavailable(error);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function isFromServer(error: unknown): boolean {
  return error instanceof Error && 'severity' in error;
}

/** The connection is as good as before. */
function isOfStatement(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR';
}

/** 503 for what the server says of itself; what it says of a statement stays as it is. */
function translate(error: unknown): unknown {
  return isFromServer(error) && UNAVAILABLE.test(codeOf(error)) ? databaseUnavailable(error) : error;
}
