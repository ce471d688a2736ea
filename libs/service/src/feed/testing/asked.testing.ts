import pg from 'pg';

import { SETTINGS } from '../../data/testing/postgres-plans.testing.js';
import type { Database, SqlValue, Transaction } from '../../data/database/database.js';

export interface Asked {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

interface PlanNode {
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

/**
 * Adds the statements of the database to `asked`.
 * @param own Replaces members of the database.
 */
export function recordStatements(database: Database, asked: Asked[], own: object = {}): Database {
  const transaction = (work: (tx: Transaction) => Promise<unknown>): unknown =>
    database.transaction((tx) => work(recording(tx, asked, {})));
  return recording(database, asked, { transaction, ...own });
}

function recording<Of extends Transaction | Database>(of: Of, asked: Asked[], own: object): Of {
  const query = (sql: string, params: readonly SqlValue[] = []): unknown => {
    asked.push({ sql, params });
    return of.query(sql, params);
  };
  const members: object = { query, ...own };
  return new Proxy(of, {
    get: (target, name) => {
      if (name in members) return Reflect.get(members, name) as unknown;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Opens a connection with the same planner settings as those of the service. */
export async function planningClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(SETTINGS);
  return client;
}

/** Runs a statement again and rolls it back. @returns The roots of its plans. */
async function plansOf(client: pg.Client, { sql, params }: Asked): Promise<PlanNode[]> {
  await client.query(`BEGIN; PREPARE planned AS ${sql}`);
  const values = params.map((value) => client.escapeLiteral(String(value))).join(', ');
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE planned${values === '' ? '' : `(${values})`}`,
  );
  await client.query('ROLLBACK; DEALLOCATE planned');
  return rows.map((row) => row['QUERY PLAN'][0].Plan);
}

/** Pages of 8 KiB that a statement reads. */
export async function pagesRead(client: pg.Client, asked: Asked): Promise<number> {
  const plans = await plansOf(client, asked);
  return plans.reduce((sum, plan) => sum + (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0), 0);
}

/** Rows that a statement reads and rejects. */
export async function rowsRemoved(client: pg.Client, asked: Asked): Promise<number> {
  return (await plansOf(client, asked)).reduce((sum, plan) => sum + removedIn(plan), 0);
}

function removedIn({
  Plans: children = [],
  'Rows Removed by Filter': removed = 0,
  'Actual Loops': loops,
}: PlanNode): number {
  return children.reduce((sum, child) => sum + removedIn(child), removed * loops);
}
