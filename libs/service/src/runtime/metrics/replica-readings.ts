import { READ_OUTCOMES, type ReplicaUse } from '../../data/replicas/read-replicas.js';

import type { Reading } from './readings.js';

export function replicaReadings(prefix: string, use: () => ReplicaUse): readonly Reading[] {
  return [
    {
      type: 'counter',
      name: `${prefix}_replica_reads_total`,
      help: 'Reads by the server that served them: a standby, or the primary and why.',
      labels: ['outcome'],
      read: () => {
        const { reads } = use();
        return READ_OUTCOMES.map((outcome) => ({ labels: { outcome }, value: reads[outcome] }));
      },
    },
    {
      type: 'gauge',
      name: `${prefix}_standby_up`,
      help: 'Whether a standby is read (1), or is away or more than a second behind (0).',
      labels: ['standby'],
      read: () => use().standbys.map(({ name, isRead }) => ({ labels: { standby: name }, value: isRead ? 1 : 0 })),
    },
    {
      type: 'gauge',
      name: `${prefix}_standby_lag_seconds`,
      help: 'How long ago a standby had all that the primary had then, as last seen.',
      labels: ['standby'],
      read: () =>
        use().standbys.flatMap(({ name, lagSeconds }) =>
          lagSeconds === undefined ? [] : [{ labels: { standby: name }, value: lagSeconds }],
        ),
    },
  ];
}
