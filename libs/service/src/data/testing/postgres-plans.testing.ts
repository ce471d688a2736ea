import pg from 'pg';

import type { ScanEnd } from './ranged-lists.testing.js';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

interface ScannedList {
  readonly filter: string | undefined;
  readonly end: ScanEnd | undefined;
}

const PRIMARY_KEY = 'items_pkey';

/** Settings of the service's connections. */
export const SETTINGS = `SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_bitmapscan = off;
  SET max_parallel_workers_per_gather = 0; SET jit = off`;

/**
 * Finds the nodes of PostgreSQL's plan whose cost grows with the number of rows: a scan without an index, a sort of a
 * table, a scan beyond the end of its range, a filter without an index.
 * @returns A sentence for each node.
 */
export async function unboundedNodes(url: string, sql: string, list: ScannedList): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(SETTINGS);
    await client.query(`PREPARE planned AS ${sql}`);
    const count = new Set(sql.match(/\$\d+/g)).size;
    const values = count === 0 ? '' : `(${Array.from({ length: count }, () => 'NULL').join(', ')})`;
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (FORMAT JSON) EXECUTE planned${values}`,
    );
    return rows.flatMap((row) => faultsOf(row['QUERY PLAN'][0].Plan, list));
  } finally {
    await client.end();
  }
}

function faultsOf(node: PlanNode, list: ScannedList): string[] {
  const { Plans: children = [], 'Node Type': type, 'Index Name': index, 'Index Cond': condition = '' } = node;
  const below = children.flatMap((child) => faultsOf(child, list));
  // An incremental sort only sorts the rows of one value.
  if (type === 'Sort' && children.some(isOfTable)) return [...below, `sorts a table: ${JSON.stringify(node)}`];
  if (!isOfTable(node) || index === PRIMARY_KEY) return below;
  if (!type.startsWith('Index')) return [...below, `reads without an order: ${type}`];
  const { end, filter } = list;
  if (filter !== undefined && node['Relation Name'] === 'items' && !condition.includes(`(${filter} = `)) {
    return [...below, `sifts rows: ${String(index)} ${condition}`];
  }
  const { column, operator } = end ?? {};
  const isBounded = end === undefined || new RegExp(`\\b${column} (=|${operator}=?) `).test(condition);
  return isBounded ? below : [...below, `reads on behind the range: ${String(index)} ${condition}`];
}

function isOfTable({ 'Relation Name': relation = '' }: PlanNode): boolean {
  return /^items(_versions)?$/.test(relation);
}
