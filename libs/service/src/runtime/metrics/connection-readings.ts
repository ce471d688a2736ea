import type { Connections } from '../../http/connections/connections.js';

import type { Reading } from './readings.js';

export function connectionReadings(prefix: string, connections: Pick<Connections, 'all' | 'max'>): readonly Reading[] {
  return [
    {
      type: 'gauge',
      name: `${prefix}_http_connections`,
      help: 'Open connections of clients.',
      read: () => [{ value: connections.all().length }],
    },
    {
      type: 'gauge',
      name: `${prefix}_http_connections_max`,
      help: 'Maximum number of open connections of clients.',
      read: () => [{ value: connections.max }],
    },
  ];
}
