import type { LookUps } from '../../data/caching/look-up-cache.js';
import type { DatabaseUse } from '../../data/database/database.js';
import { OUTAGE_CAUSES } from '../../data/database/database-outage.js';
import { READ_OUTCOMES, type StandbyUse } from '../../data/standbys/standby-reads.js';
import type { PruningState } from '../../data/writes/background-pruning.js';
import type { Edge } from '../../http/edge/edge.js';
import type { Quota, RedisLink } from '@items/throttling';

import { type Reading, readings } from './readings.js';

export function edgeReadings(
  { connections, requestQueue }: Pick<Edge, 'connections' | 'requestQueue'>,
  maintenance: { readonly isOn: boolean },
): readonly Reading[] {
  return readings({
    http_connections: ['Open connections of clients.', () => connections.all().length],
    http_connections_max: ['Maximum number of open connections of clients.', () => connections.max],
    http_requests_queued: [
      'Requests that wait for their turn, because there are too many.',
      () => requestQueue.use.waiting,
    ],
    http_requests_shed_total: [
      'Requests that were answered 503 because their turn did not come in time.',
      () => requestQueue.use.refused,
    ],
    maintenance: ['Whether the service is in maintenance (1), and responds with 503.', () => Number(maintenance.isOn)],
  });
}

export function databaseReadings(use: () => DatabaseUse): readonly Reading[] {
  const ofDatabase = readings({
    database_up: ['Whether the database responds (1), or is in an outage (0).', () => Number(use().isUp)],
    database_outage: [
      'Why the database does not respond: 1 for the cause of the latest failure, 0 for the others.',
      'cause',
      () => OUTAGE_CAUSES.map((cause) => [cause, Number(cause === use().outageCause)]),
    ],
    database_failures_total: [
      'Statements and transactions that failed because the database is down or too slow.',
      () => use().failures,
    ],
  });
  return [...ofDatabase, ...(use().pool === undefined ? writerReadings(use) : poolReadings(use))];
}

function writerReadings(use: () => DatabaseUse): readonly Reading[] {
  return readings({
    database_writer_queue_length: [
      'Transactions that wait for their turn with the one writer of SQLite.',
      () => use().waitingWrites ?? 0,
    ],
    database_wal_bytes: ['Size of the log (WAL) of SQLite.', () => use().log?.().bytes ?? 0],
    database_wal_restarts: [
      'Restarts of the log (WAL), after checkpoints had copied all of it to the file.',
      () => use().log?.().restarts ?? 0,
    ],
  });
}

function poolReadings(use: () => DatabaseUse): readonly Reading[] {
  const byState = (): [string, number][] => {
    const { open = 0, idle = 0 } = use().pool ?? {};
    return Object.entries({ busy: open - idle, idle });
  };
  return readings({
    database_pool_connections: ['Connections to PostgreSQL by state: busy or idle.', 'state', byState],
    database_pool_connections_max: ['Most connections to PostgreSQL that the pool opens.', () => use().pool?.max],
    database_pool_waiting: [
      'Statements and transactions that wait for a free connection to PostgreSQL.',
      () => use().pool?.waiting,
    ],
  });
}

export function standbyReadings(use: () => StandbyUse): readonly Reading[] {
  return readings({
    replica_reads_total: [
      'Reads by the server that served them: a standby, or the primary and why.',
      'outcome',
      () => READ_OUTCOMES.map((outcome) => [outcome, use().reads[outcome]]),
    ],
    standby_up: [
      'Whether a standby is read (1), or is away or more than a second behind (0).',
      'standby',
      () => use().standbys.map(({ name, isRead }) => [name, Number(isRead)]),
    ],
    standby_lag_seconds: [
      'How long ago a standby had all that the primary had then, as last seen.',
      'standby',
      () =>
        use().standbys.flatMap(({ name, lagSeconds }) =>
          lagSeconds === undefined ? [] : [[name, lagSeconds] as const],
        ),
    ],
  });
}

export function pruningReadings(states: () => ReadonlyMap<string, PruningState>): readonly Reading[] {
  const ofEach = (value: (state: PruningState) => number) => () =>
    [...states()].map(([collection, state]) => [collection, value(state)] as const);
  return readings({
    versions: [
      'Versions of rows that are stored for walks, as counted when they were last pruned.',
      'collection',
      ofEach(({ kept }) => kept),
    ],
    versions_pruned_total: [
      'Versions of rows that this instance has deleted.',
      'collection',
      ofEach(({ deleted }) => deleted),
    ],
    versions_pruned_timestamp_seconds: [
      'When versions were last pruned without a failure, in seconds since the epoch.',
      'collection',
      ofEach(({ prunedAtMs }) => prunedAtMs / 1000),
    ],
  });
}

export function cacheReading(caches: Readonly<Record<string, { readonly lookUps: LookUps }>>): Reading {
  return {
    name: 'cache_lookups_total',
    help: 'Look-ups of caches, by result: hit, or miss (read from the database).',
    labels: ['cache', 'result'],
    read: () =>
      Object.entries(caches).flatMap(([cache, { lookUps }]) => [
        { labels: { cache, result: 'hit' }, value: lookUps.hits },
        { labels: { cache, result: 'miss' }, value: lookUps.misses },
      ]),
  };
}

export function quotaReading({ counted }: Pick<Quota, 'counted'>): Reading {
  return {
    name: 'quota_requests_total',
    help: 'Requests that were counted for a quota, by its owner (credential, address) and whether they were refused.',
    labels: ['quota', 'outcome'],
    read: () =>
      Object.entries({ credential: counted.default, address: counted.anonymous }).flatMap(([quota, outcomes]) =>
        Object.entries(outcomes).map(([outcome, value]) => ({ labels: { quota, outcome }, value })),
      ),
  };
}

export function redisReadings(link: Pick<RedisLink, 'use'>): readonly Reading[] {
  return readings({
    redis_up: ['Whether Redis responds (1), or is in an outage (0).', () => Number(link.use.isUp)],
    redis_failures_total: [
      'Commands without a response of Redis, and failed connections to it.',
      () => link.use.failures,
    ],
  });
}
