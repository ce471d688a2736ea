import type { RequestQueue } from '../../http/scheduling/request-queue.js';

import type { Reading } from './readings.js';

export function requestQueueReadings(prefix: string, queue: Pick<RequestQueue, 'use'>): readonly Reading[] {
  return [
    {
      type: 'gauge',
      name: `${prefix}_http_requests_queued`,
      help: 'Requests that wait for their turn, because there are too many.',
      read: () => [{ value: queue.use.waiting }],
    },
    {
      type: 'counter',
      name: `${prefix}_http_requests_shed_total`,
      help: 'Requests that were answered 503 because their turn did not come in time.',
      read: () => [{ value: queue.use.refused }],
    },
  ];
}
