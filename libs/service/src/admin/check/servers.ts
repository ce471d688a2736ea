import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';

import { urlsOf } from '../../data/database/postgres-hosts.js';
import { POOL_SIZE } from '../../data/postgres/postgres-source.js';
import { runningInstances } from '../../runtime/instances/instance-record.js';
import type { CheckedDatabase } from './checked-database.js';
import { formatCount, failure, type Finding, formatBytes, ok, warning } from './finding.js';

/** A larger difference from the clock of this machine causes a warning. */
const TOLERATED_SECONDS = 2;
/** A change dated further ahead of this machine is a failure: instances may refuse each other's cursors as expired. */
const FAILURE_SECONDS = 60;
const LATEST_STAMP = 'SELECT coalesce(max(seq), 0) AS seq FROM collection_lanes';
const SERVER_CLOCK = 'SELECT extract(epoch FROM clock_timestamp()) AS seconds';

/** Warn if a larger share of the allowed connections is in use or in the pools. Another instance may get too few. */
const WARNING_SHARE = 0.8;
const CONNECTIONS = `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS allowed,
  (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS used, inet_server_port() AS port`;

const QUERY_TIMEOUT_MS = 3000;
const MAX_LAG_MS = 1000;
const POLL_MS = 100;
const SLOTS = `SELECT slot_name AS name, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) AS bytes
  FROM pg_replication_slots WHERE NOT active AND restart_lsn IS NOT NULL`;
const SENDERS = `SELECT application_name AS name, coalesce(sync_state, 'unknown') AS sync FROM pg_stat_replication
  WHERE pid <> 0 AND coalesce(state, 'streaming') = 'streaming' ORDER BY 1`;

export async function checkClocks({ config, query, nowMs }: CheckedDatabase): Promise<Finding> {
  const [latest] = await query(LATEST_STAMP);
  const aheadSeconds = Number(latest?.['seq'] ?? 0) / 1_000_000 - nowMs / 1000;
  const advice = 'Set the clocks of all machines by NTP; changes get later dates until this clock has caught up.';
  if (aheadSeconds > TOLERATED_SECONDS) {
    const message = `the latest change is dated ${aheadSeconds.toFixed(1)} s after the clock of this machine`;
    return aheadSeconds > FAILURE_SECONDS ? failure(message, advice) : warning(message, advice);
  }
  if (config.database.dialect === 'postgres') {
    const [row] = await query(SERVER_CLOCK);
    const apart = Math.abs(Number(row?.['seconds']) - Date.now() / 1000);
    if (apart > TOLERATED_SECONDS)
      return warning(`the clocks of PostgreSQL and of this machine are ${apart.toFixed(1)} s apart`, advice);
  }
  return ok('no clock is ahead of this machine');
}

export async function checkConnections(database: CheckedDatabase): Promise<Finding> {
  const { config, query, settings, nowMs } = database;
  if (config.database.dialect === 'sqlite') return ok('SQLite needs none');
  const [row] = await query(CONNECTIONS);
  const [allowed, used] = [Number(row?.['allowed']), Number(row?.['used'])];
  const instances = runningInstances(settings, nowMs);
  const pools = instances.reduce((sum, { pool }) => sum + pool, 0) || POOL_SIZE;
  // A URL whose port differs from the server's belongs to a pooler. A pooler limits the connections itself.
  const isPooled =
    row?.['port'] !== null && String(row?.['port']) !== (new URL(urlsOf(config.database.url)[0] ?? '').port || '5432');
  const message = `${String(used)} of ${String(allowed)} in use; the pools of ${formatCount(Math.max(1, instances.length), 'instance')} open at most ${String(pools)}`;
  if (!isPooled && pools > allowed)
    return failure(message, 'Raise max_connections, or put PgBouncer between: otherwise requests get 503 under load.');
  if (used > allowed * WARNING_SHARE || (!isPooled && pools > allowed * WARNING_SHARE))
    return warning(message, 'Raise max_connections, or put PgBouncer between, before you add an instance.');
  return ok(message);
}

export async function checkStandbys(database: CheckedDatabase): Promise<Finding> {
  const { config, query } = database;
  if (config.database.dialect === 'sqlite') return ok('SQLite has none');
  const [unused] = await query(SLOTS);
  if (unused !== undefined) {
    const message = `the slot ${String(unused['name'])} has no reader and retains ${formatBytes(Number(unused['bytes']))} of WAL`;
    return warning(message, 'Start its standby, or drop the slot with pg_drop_replication_slot().');
  }
  const urls = config.databaseReadUrl === undefined ? [] : urlsOf(config.databaseReadUrl);
  const problems: string[] = [];
  for (const url of urls) {
    const problem = await problemOf(url, database);
    if (problem !== undefined) problems.push(`${new URL(url).host} ${problem}`);
  }
  const advice = 'Reads go to the primary meanwhile. See docs/runbooks/standby-away.md.';
  if (problems.length > 0) return warning(problems.join('; '), advice);
  const senders = (await query(SENDERS)).map(({ name, sync }) => `${String(name)} (${String(sync)})`);
  const read =
    urls.length === 0
      ? 'DATABASE_READ_URL is not set'
      : `${formatCount(urls.length, 'standby')} for reads, at most a second behind`;
  return ok(`${read}; the primary sends to ${senders.length === 0 ? 'none' : senders.join(', ')}`);
}

/** Checks that a standby applies the present WAL of the primary within {@link MAX_LAG_MS}. */
async function problemOf(url: string, { query }: CheckedDatabase): Promise<string | undefined> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: QUERY_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const [primary] = await query('SELECT pg_current_wal_flush_lsn()::text AS lsn');
    const sql = `SELECT pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()) AS behind`;
    const endMs = performance.now() + MAX_LAG_MS;
    for (;;) {
      const { rows } = await client.query<{ behind: string | null }>(sql, [primary?.['lsn']]);
      const behind = rows[0]?.behind ?? null;
      if (behind === null) return 'is not a standby';
      if (Number(behind) <= 0) return undefined;
      if (performance.now() > endMs) return `is more than a second and ${formatBytes(Number(behind))} behind`;
      await sleep(POLL_MS);
    }
  } catch (error) {
    return `does not answer: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    client.end().catch(() => undefined);
  }
}
