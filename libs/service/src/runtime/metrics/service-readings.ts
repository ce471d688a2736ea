import type { LookUps } from '../../data/caching/look-up-cache.js';
import type { DatabaseUse } from '../../data/database/database.js';
import { OUTAGE_CAUSES } from '../../data/database/database-outage.js';
import { READ_OUTCOMES, type ReplicaUse } from '../../data/replicas/read-replicas.js';
import type { PruningState } from '../../data/writes/background-pruning.js';
import type { Edge } from '../../http/edge/edge.js';
import type { Quota, RedisLink } from '@items/throttling';

import { each, one, type Reading } from './readings.js';

export function edgeReadings(
  { connections, requestQueue }: Pick<Edge, 'connections' | 'requestQueue'>,
  maintenance: { readonly isOn: boolean },
): readonly Reading[] {
  return [
    one('gauge', 'http_connections', 'Open connections of clients.', () => connections.all().length),
    one('gauge', 'http_connections_max', 'Maximum number of open connections of clients.', () => connections.max),
    one(
      'gauge',
      'http_requests_queued',
      'Requests that wait for their turn, because there are too many.',
      () => requestQueue.use.waiting,
    ),
    one(
      'counter',
      'http_requests_shed_total',
      'Requests that were answered 503 because their turn did not come in time.',
      () => requestQueue.use.refused,
    ),
    one('gauge', 'maintenance', 'Whether the service is in maintenance (1), and answers 503.', () =>
      Number(maintenance.isOn),
    ),
  ];
}

export function databaseReadings(use: () => DatabaseUse): readonly Reading[] {
  return [
    one('gauge', 'database_up', 'Whether the database answers (1), or is in an outage (0).', () => Number(use().isUp)),
    each(
      ['gauge', 'cause'],
      'database_outage',
      'Why the database does not answer: 1 for the cause of the latest failure, 0 for the others.',
      () => OUTAGE_CAUSES.map((cause) => [cause, Number(cause === use().outageCause)]),
    ),
    one(
      'counter',
      'database_failures_total',
      'Statements and transactions that failed because the database is down or too slow.',
      () => use().failures,
    ),
    ...(use().pool === undefined ? writerReadings(use) : poolReadings(use)),
  ];
}

function writerReadings(use: () => DatabaseUse): readonly Reading[] {
  return [
    one(
      'gauge',
      'database_writer_queue_length',
      'Transactions that wait for their turn with the one writer of SQLite.',
      () => use().waitingWrites ?? 0,
    ),
    one('gauge', 'database_wal_bytes', 'Size of the log (WAL) of SQLite.', () => use().log?.().bytes ?? 0),
    one(
      'gauge',
      'database_wal_restarts',
      'Restarts of the log (WAL), after checkpoints had copied all of it to the file.',
      () => use().log?.().restarts ?? 0,
    ),
  ];
}

function poolReadings(use: () => DatabaseUse): readonly Reading[] {
  return [
    each(['gauge', 'state'], 'database_pool_connections', 'Connections to PostgreSQL by state: busy or idle.', () => {
      const { open = 0, idle = 0 } = use().pool ?? {};
      return [
        ['busy', open - idle],
        ['idle', idle],
      ];
    }),
    one(
      'gauge',
      'database_pool_connections_max',
      'Most connections to PostgreSQL that the pool opens.',
      () => use().pool?.max,
    ),
    one(
      'gauge',
      'database_pool_waiting',
      'Statements and transactions that wait for a free connection to PostgreSQL.',
      () => use().pool?.waiting,
    ),
  ];
}

export function replicaReadings(use: () => ReplicaUse): readonly Reading[] {
  return [
    each(
      ['counter', 'outcome'],
      'replica_reads_total',
      'Reads by the server that served them: a standby, or the primary and why.',
      () => READ_OUTCOMES.map((outcome) => [outcome, use().reads[outcome]]),
    ),
    each(
      ['gauge', 'standby'],
      'standby_up',
      'Whether a standby is read (1), or is away or more than a second behind (0).',
      () => use().standbys.map(({ name, isRead }) => [name, Number(isRead)]),
    ),
    each(
      ['gauge', 'standby'],
      'standby_lag_seconds',
      'How long ago a standby had all that the primary had then, as last seen.',
      () =>
        use().standbys.flatMap(({ name, lagSeconds }) =>
          lagSeconds === undefined ? [] : [[name, lagSeconds] as const],
        ),
    ),
  ];
}

export function pruningReadings(states: () => ReadonlyMap<string, PruningState>): readonly Reading[] {
  const ofEach = (value: (state: PruningState) => number) => () =>
    [...states()].map(([collection, state]) => [collection, value(state)] as const);
  return [
    each(
      ['gauge', 'collection'],
      'versions',
      'Versions of rows that are stored for walks, as counted when they were last pruned.',
      ofEach(({ kept }) => kept),
    ),
    each(
      ['counter', 'collection'],
      'versions_pruned_total',
      'Versions of rows that this instance has deleted.',
      ofEach(({ deleted }) => deleted),
    ),
    each(
      ['gauge', 'collection'],
      'versions_pruned_timestamp_seconds',
      'When versions were last pruned without a failure, in seconds since the epoch.',
      ofEach(({ prunedAtMs }) => prunedAtMs / 1000),
    ),
  ];
}

export function cacheReading(caches: Readonly<Record<string, { readonly lookUps: LookUps }>>): Reading {
  return {
    type: 'counter',
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
    type: 'counter',
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
  return [
    one('gauge', 'redis_up', 'Whether Redis answers (1), or is in an outage (0).', () => Number(link.use.isUp)),
    one(
      'counter',
      'redis_failures_total',
      'Commands that Redis did not answer, and failed connections to it.',
      () => link.use.failures,
    ),
  ];
}
