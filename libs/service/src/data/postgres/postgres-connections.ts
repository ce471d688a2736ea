import { isPromise } from '@items/conventions';
import type pg from 'pg';
import { ConnectionStatements } from '../database/prepared-texts.js';
import { ConnectionTurns, type ReleaseConnection } from './connection-turns.js';
import { databaseUnavailable, isUnavailable } from '../database/database-unavailable.js';
import type { SqlValue } from '../database/database.js';
import { toServerOrUnavailableError } from './postgres-errors.js';
import { PostgresQuery } from './postgres-query.js';
import { ACQUIRE_TIMEOUT_MS } from './postgres-settings.js';
import { notifyListener, type StatementListener } from '../database/slow-statements.js';
import { beforeDeadline, timeLeft } from '../database/transaction-deadline.js';

/** Share of the pool for one user while others are active. */
const SHARE_AMONG_OTHERS = 1 / 4;
/** Share of the only active user. Below 1, so that the first statement of another user does not wait. */
const SHARE_ALONE = 3 / 4;

export class PostgresConnections {
  private readonly statements = new WeakMap<pg.PoolClient, ConnectionStatements>();
  private readonly turns: ConnectionTurns;
  private readonly inUse = new WeakMap<pg.PoolClient, ReleaseConnection>();

  constructor(
    readonly pool: pg.Pool,
    private readonly listener: StatementListener | undefined,
    private readonly isOutage: () => boolean = () => false,
  ) {
    const { max } = pool.options;
    this.turns = new ConnectionTurns(max, {
      alone: Math.ceil(max * SHARE_ALONE),
      amongOthers: Math.ceil(max * SHARE_AMONG_OTHERS),
    });
  }

  get waiting(): number {
    return this.turns.waiting + this.pool.waitingCount;
  }

  async connect(deadlineMs: number): Promise<pg.PoolClient> {
    const taken = this.turns.take(Math.min(ACQUIRE_TIMEOUT_MS, timeLeft(deadlineMs)));
    const giveBack = isPromise(taken) ? await taken : taken;
    if (giveBack === undefined) throw databaseUnavailable(new Error('timeout exceeded when trying to connect'));
    try {
      const client = await this.connectFree(deadlineMs);
      this.inUse.set(client, giveBack);
      return client;
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  private async connectFree(deadlineMs: number): Promise<pg.PoolClient> {
    // Uses a callback, because the promise variant creates three promises.
    const connected = new Promise<pg.PoolClient>((resolve, reject) => {
      this.pool.connect((error, client) => {
        if (client === undefined) reject(databaseUnavailable(error));
        else resolve(client);
      });
    });
    // The pool's own timeout may exceed the time that a caller has left.
    if (timeLeft(deadlineMs) >= ACQUIRE_TIMEOUT_MS) return connected;
    try {
      return await beforeDeadline(connected, deadlineMs);
    } catch (error) {
      void connected.then(
        (client) => {
          client.release();
        },
        () => undefined,
      );
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

  release(client: pg.PoolClient, broken?: Error): void {
    client.release(broken ?? this.statementsOf(client).isWornOut);
    const giveBack = this.inUse.get(client);
    this.inUse.delete(client);
    giveBack?.();
  }

  async run(
    client: pg.PoolClient,
    sql: string,
    params: readonly SqlValue[] = [],
    timeoutMs?: number,
  ): Promise<PostgresQuery> {
    const query = new PostgresQuery(this.statementsOf(client).get(sql), params, timeoutMs);
    const beganAtMs = performance.now();
    try {
      await submitted(client, query);
      notifyListener(this.listener, sql, beganAtMs);
      return query;
    } catch (error) {
      if (!isUnavailable(error) || !this.isOutage()) notifyListener(this.listener, sql, beganAtMs);
      throw error;
    }
  }
}

function submitted(client: pg.PoolClient, query: PostgresQuery): Promise<void> {
  return new Promise((resolve, reject) => {
    query.callback = (error) => {
      if (error === undefined) resolve();
      else reject(toServerOrUnavailableError(error));
    };
    client.query(query);
  });
}

/** @throws {ServiceUnavailableError} The connection is lost or too slow. Errors of the server are thrown unchanged. */
export async function execute(client: pg.PoolClient, query: string): Promise<pg.QueryResult<object>> {
  try {
    return await client.query<object>(query);
  } catch (error) {
    throw toServerOrUnavailableError(error);
  }
}
