import type { EdgeLog } from '../../http/edge-options.js';
import { Registry } from 'prom-client';

import { timeGarbageCollections } from './gc-duration.js';
import { type MetricsAddress, MetricsServer } from './metrics-server.js';
import { addProcessMetrics } from './process-metrics.js';
import { addReading, type Reading } from './readings.js';
import { RequestMetrics } from './request-metrics.js';

/** All that one process tells of itself: its requests, its memory, its event loop, its garbage collection. */
export class Metrics {
  readonly registry = new Registry();
  readonly requests: RequestMetrics;
  private server: MetricsServer | undefined;
  private readonly stopTiming: () => void;
  private isStarting = true;

  /** @param prefix of the names that are the application's own, `items`. */
  constructor(readonly prefix: string) {
    addProcessMetrics(this.registry);
    this.stopTiming = timeGarbageCollections(this.registry);
    this.requests = new RequestMetrics(this.registry, prefix);
    this.add([
      {
        type: 'gauge',
        name: `${prefix}_starting`,
        help: 'Whether the process is still starting (1): it migrates the database, or waits for who does.',
        read: () => [{ value: this.isStarting ? 1 : 0 }],
      },
    ]);
  }

  /** What others keep, and is read when it is asked for. */
  add(readings: Iterable<Reading>): void {
    for (const reading of readings) addReading(this.registry, reading);
  }

  /**
   * Serves the metrics on a listener of their own, which exists before the application, so that a long start is visible.
   * @throws {Error} the port cannot be listened on.
   */
  async serve(address: MetricsAddress, log: EdgeLog): Promise<void> {
    this.server = new MetricsServer(() => this.registry.metrics(), log);
    log.info({ url: await this.server.listen(address) }, 'metrics are served');
  }

  started(): void {
    this.isStarting = false;
  }

  /** Ends all of it; once is enough. */
  async close(): Promise<void> {
    this.stopTiming();
    const { server } = this;
    this.server = undefined;
    await server?.close();
  }
}
