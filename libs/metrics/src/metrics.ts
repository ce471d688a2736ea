import { collectDefaultMetrics, Registry } from 'prom-client';

import { timeGarbageCollections } from './gc-duration.js';
import { addReading, type Reading } from './readings.js';
import { RequestMetrics } from './request-metrics.js';

/** All that one process tells of itself: its requests, its memory, its event loop, its garbage collection. */
export class Metrics {
  readonly registry = new Registry();
  readonly requests: RequestMetrics;

  /** @param prefix of the names that are the application's own, `items`. */
  constructor(readonly prefix: string) {
    collectDefaultMetrics({ register: this.registry });
    timeGarbageCollections(this.registry);
    this.requests = new RequestMetrics(this.registry, prefix);
  }

  /** What others keep, and is read when it is asked for. */
  add(readings: Iterable<Reading>): void {
    for (const reading of readings) addReading(this.registry, reading);
  }
}
