import type { SideAddress } from '../../http/edge/side-server.js';
import type { EdgeLog } from '../../http/edge-options.js';
import { Registry } from 'prom-client';

import { timeGarbageCollections, addProcessMetrics } from './process-metrics.js';
import { MetricsServer } from './metrics-server.js';
import { addReading, type Reading, readings } from './readings.js';
import { RequestMetrics } from './request-metrics.js';

export class Metrics {
  readonly registry = new Registry();
  readonly requests: RequestMetrics;
  private server: MetricsServer | undefined;
  private readonly stopTiming: () => void;
  private isStarting = true;

  constructor(private readonly prefix: string) {
    addProcessMetrics(this.registry);
    this.stopTiming = timeGarbageCollections(this.registry);
    this.requests = new RequestMetrics(this.registry, prefix);
    const help =
      'Whether the process is still starting (1): it migrates the database, or waits for the instance that does.';
    this.add(readings({ starting: [help, () => Number(this.isStarting)] }));
  }

  add(readings: Iterable<Reading>): void {
    for (const reading of readings) {
      addReading(this.registry, { ...reading, name: `${this.prefix}_${reading.name}` });
    }
  }

  /**
   * Call before the Nest application exists, so that a long start is visible.
   * @throws {Error} the port cannot be used.
   */
  async serve(address: SideAddress, log: EdgeLog): Promise<void> {
    this.server = new MetricsServer(() => this.registry.metrics(), log);
    log.info({ url: await this.server.listen(address) }, 'metrics are served');
  }

  started(): void {
    this.isStarting = false;
  }

  async close(): Promise<void> {
    this.stopTiming();
    const { server } = this;
    this.server = undefined;
    await server?.close();
  }
}
