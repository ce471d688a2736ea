import type { DatabaseUse } from '../../data/database/database.js';
import { OUTAGE_CAUSES } from '../../data/database/database-outage.js';

import type { Reading, Sample } from './readings.js';

export function databaseReadings(prefix: string, use: () => DatabaseUse): readonly Reading[] {
  const common: readonly Reading[] = [
    {
      type: 'gauge',
      name: `${prefix}_database_up`,
      help: 'Whether the database answers (1), or is in an outage (0).',
      read: () => [{ value: use().isUp ? 1 : 0 }],
    },
    {
      type: 'gauge',
      name: `${prefix}_database_outage`,
      help: 'Why the database does not answer: 1 for the cause of the latest failure, 0 for the others.',
      labels: ['cause'],
      read: () => {
        const { outageCause } = use();
        return OUTAGE_CAUSES.map((cause) => ({ labels: { cause }, value: cause === outageCause ? 1 : 0 }));
      },
    },
    {
      type: 'counter',
      name: `${prefix}_database_failures_total`,
      help: 'Statements and transactions that failed because the database is down or too slow.',
      read: () => [{ value: use().failures }],
    },
  ];
  return [...common, ...(use().pool === undefined ? writerReadings(prefix, use) : poolReadings(prefix, use))];
}

function writerReadings(prefix: string, use: () => DatabaseUse): readonly Reading[] {
  return [
    {
      type: 'gauge',
      name: `${prefix}_database_writer_queue_length`,
      help: 'Transactions that wait for their turn with the one writer of SQLite.',
      read: () => [{ value: use().waitingWrites ?? 0 }],
    },
    {
      type: 'gauge',
      name: `${prefix}_database_wal_bytes`,
      help: 'Size of the log (WAL) of SQLite.',
      read: () => [{ value: use().log?.().bytes ?? 0 }],
    },
    {
      type: 'gauge',
      name: `${prefix}_database_wal_restarts`,
      help: 'Restarts of the log (WAL), after checkpoints had copied all of it to the file.',
      read: () => [{ value: use().log?.().restarts ?? 0 }],
    },
  ];
}

function poolReadings(prefix: string, use: () => DatabaseUse): readonly Reading[] {
  const pool = (read: (pool: NonNullable<DatabaseUse['pool']>) => Iterable<Sample>) => () => {
    const { pool: current } = use();
    return current === undefined ? [] : read(current);
  };
  return [
    {
      type: 'gauge',
      name: `${prefix}_database_pool_connections`,
      help: 'Connections to PostgreSQL by state: busy or idle.',
      labels: ['state'],
      read: pool(({ open, idle }) => [
        { labels: { state: 'busy' }, value: open - idle },
        { labels: { state: 'idle' }, value: idle },
      ]),
    },
    {
      type: 'gauge',
      name: `${prefix}_database_pool_connections_max`,
      help: 'Most connections to PostgreSQL that the pool opens.',
      read: pool(({ max }) => [{ value: max }]),
    },
    {
      type: 'gauge',
      name: `${prefix}_database_pool_waiting`,
      help: 'Statements and transactions that wait for a free connection to PostgreSQL.',
      read: pool(({ waiting }) => [{ value: waiting }]),
    },
  ];
}
