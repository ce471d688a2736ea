import { statfs } from 'node:fs/promises';
import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { boundsOf, partitionsSql, restOf } from '../../feed/table-partitions.js';
import { timeOf } from '../../feed/event-id.js';
import type { CheckedDatabase } from './checked-database.js';
import { formatCount, failure, type Finding, formatBytes, formatDuration, ok, warning, worst } from './finding.js';

const DAY_MS = 86_400_000;
/** Smaller tables are not checked, because PostgreSQL plans them well without statistics. */
const ANALYSED_BYTES = 8_000_000;
const NEVER_ANALYSED = `SELECT relname AS name FROM pg_class
  WHERE relkind IN ('r', 'p') AND reltuples < 0
    AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
    AND CASE relkind WHEN 'r' THEN pg_relation_size(pg_class.oid)
      ELSE (SELECT sum(pg_relation_size(relid)) FROM pg_partition_tree(pg_class.oid)) END > ${String(ANALYSED_BYTES)}
  ORDER BY 1`;

/** With less free space, writes may soon fail. */
const LEAST_FREE_BYTES = 256_000_000;

export async function checkStatistics({ config, query }: CheckedDatabase): Promise<Finding> {
  if (config.database.dialect === 'sqlite') return ok('SQLite needs none');
  const names = (await query(NEVER_ANALYSED)).map(({ name }) => String(name));
  if (names.length > 0) return warning(`never analysed: ${names.join(', ')}`, `Run ANALYZE ${names.join(', ')}.`);
  const [setting] = await query('SHOW autovacuum');
  if (setting?.['autovacuum'] === 'off')
    return warning('autovacuum is off: statistics grow old, and dead rows stay', 'Set autovacuum = on.');
  return ok('each large table has been analysed');
}

export async function checkPartitions(checked: CheckedDatabase): Promise<Finding> {
  const { config } = checked;
  if (config.database.dialect === 'sqlite') return ok('SQLite has none');
  if (config.events.off === true) return ok('none are needed with EVENTS=off');
  const findings = [await partitionsOf(checked, 'events'), await partitionsOf(checked, 'deliveries')];
  const level = worst(findings.map((finding) => finding.level));
  if (level === 'ok') return ok(findings.map(({ message }) => message).join('; '));
  return findings.find((finding) => finding.level === level) as Finding;
}

async function partitionsOf({ config, query, nowMs }: CheckedDatabase, table: string): Promise<Finding> {
  const found = await query(partitionsSql(table));
  const rows = found.map(({ name, bound }) => ({ name: String(name), bound: String(bound) }));
  if (rows.length === 0) return warning(`${table} are not partitioned`, 'Run the pending migrations.');
  const lastMs = Math.max(0, ...boundsOf(rows).map(({ end }) => timeOf(end)));
  const [rest] = await query(`SELECT count(*) AS n FROM (SELECT 1 FROM ${restOf(table)} LIMIT 10000) t`);
  const resting = Number(rest?.['n']);
  const advice = `Give the role of the service CREATE on its schema and the ownership of ${table}; the log says why it failed.`;
  if (lastMs <= nowMs)
    return failure(`none for now: ${table} go to ${restOf(table)} and are deleted one by one`, advice);
  const aheadMs = lastMs - nowMs;
  if (aheadMs < (config.events.partitionMs ?? DAY_MS))
    return warning(
      `the last of ${table} ends in ${formatDuration(aheadMs)}, and no instance has created the next one`,
      advice,
    );
  const ahead = `${table} have partitions for the next ${formatDuration(aheadMs)}`;
  return ok(resting === 0 ? ahead : `${ahead}; ${formatCount(resting, 'row')} without one in ${restOf(table)}`);
}

export async function checkDisk({ config, query }: CheckedDatabase): Promise<Finding> {
  if (config.database.dialect === 'postgres') {
    const [row] = await query('SELECT pg_database_size(current_database()) AS size');
    return ok(`the database has ${formatBytes(Number(row?.['size']))}; SQL does not show the free disk of its server`);
  }
  const file = resolve(config.database.file);
  const { bavail, bsize } = await statfs(dirname(file));
  const sizes = [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  const used = sizes.reduce((sum, size) => sum + size, 0);
  const message = `${formatBytes(bavail * bsize)} free; the database has ${formatBytes(used)}`;
  if (bavail * bsize < LEAST_FREE_BYTES) return failure(message, 'Free space now: a full disk refuses every write.');
  if (bavail * bsize < used) return warning(message, 'Free space: a backup or a restore on this disk needs as much.');
  return ok(message);
}
