import type { Quota, RedisLink } from '@items/throttling';

import type { Reading } from './readings.js';

export function quotaReading(prefix: string, { counted }: Pick<Quota, 'counted'>): Reading {
  return {
    type: 'counter',
    name: `${prefix}_quota_requests_total`,
    help: 'Requests that were counted for a quota, by its owner (credential, address) and whether they were refused.',
    labels: ['quota', 'outcome'],
    read: () =>
      Object.entries({ credential: counted.default, address: counted.anonymous }).flatMap(([quota, outcomes]) =>
        Object.entries(outcomes).map(([outcome, value]) => ({ labels: { quota, outcome }, value })),
      ),
  };
}

export function redisReadings(prefix: string, link: Pick<RedisLink, 'use'>): readonly Reading[] {
  return [
    {
      type: 'gauge',
      name: `${prefix}_redis_up`,
      help: 'Whether Redis answers (1), or is in an outage (0).',
      read: () => [{ value: link.use.isUp ? 1 : 0 }],
    },
    {
      type: 'counter',
      name: `${prefix}_redis_failures_total`,
      help: 'Commands that Redis did not answer, and failed connections to it.',
      read: () => [{ value: link.use.failures }],
    },
  ];
}
