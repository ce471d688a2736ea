import type { Connections } from '@items/http';

import type { Reading } from './readings.js';

/** How many connections the server has. */
export function connectionReading(prefix: string, connections: Pick<Connections, 'all'>): Reading {
  return {
    type: 'gauge',
    name: `${prefix}_http_connections`,
    help: 'Open connections of clients.',
    read: () => [{ value: connections.all().length }],
  };
}
