/**
 * Low, because ANALYZE samples 300 times this number of rows in each partition. With 10, 1.5 million rows take two
 * seconds.
 */
const STATISTICS_TARGET = 10;

const STATEMENTS = `SELECT format('ANALYZE %s (%s)', c.oid::regclass, string_agg(DISTINCT quote_ident(attname), ', ')) AS sql
  FROM pg_class c JOIN pg_index ON indrelid = c.oid JOIN pg_attribute ON attrelid = c.oid AND attnum = ANY (indkey)
  WHERE relkind = 'p' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())`;
const NEVER_ANALYSED = 'AND reltuples < 0';

/**
 * Collects statistics of partitioned tables, because autovacuum analyses only their partitions.
 * @param query Runs statements in one transaction.
 * @param which `unknown` selects tables that were never analysed.
 */
export async function analyseParents(
  query: (sql: string) => Promise<unknown>,
  which: 'all' | 'unknown' | { readonly name: string } = 'all',
): Promise<void> {
  let condition = which === 'unknown' ? NEVER_ANALYSED : '';
  if (typeof which === 'object') condition = `AND relname = '${which.name}'`;
  const statements = (await query(`${STATEMENTS} ${condition} GROUP BY c.oid`)) as readonly { readonly sql: string }[];
  if (statements.length === 0) return;
  await query(`SET LOCAL default_statistics_target = ${String(STATISTICS_TARGET)}`);
  for (const { sql } of statements) await query(sql);
}
