import type { PruningState } from '../../data/writes/background-pruning.js';

import type { Reading } from './readings.js';

export function pruningReadings(prefix: string, states: () => ReadonlyMap<string, PruningState>): readonly Reading[] {
  const each = (value: (state: PruningState) => number) => () =>
    [...states()].map(([collection, state]) => ({ labels: { collection }, value: value(state) }));
  return [
    {
      type: 'gauge',
      name: `${prefix}_versions`,
      help: 'Versions of rows that are stored for walks, as counted when they were last pruned.',
      labels: ['collection'],
      read: each(({ kept }) => kept),
    },
    {
      type: 'counter',
      name: `${prefix}_versions_pruned_total`,
      help: 'Versions of rows that this instance has deleted.',
      labels: ['collection'],
      read: each(({ deleted }) => deleted),
    },
    {
      type: 'gauge',
      name: `${prefix}_versions_pruned_timestamp_seconds`,
      help: 'When versions were last pruned without a failure, in seconds since the epoch.',
      labels: ['collection'],
      read: each(({ prunedAtMs }) => prunedAtMs / 1000),
    },
  ];
}
