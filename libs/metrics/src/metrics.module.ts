import cluster from 'node:cluster';

import type { EdgeLog } from '@items/http';
import {
  ConfigurableModuleBuilder,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';

import type { Metrics } from './metrics.js';
import { type MetricsAddress, MetricsServer } from './metrics-server.js';
import type { Reading } from './readings.js';
import { tellPrimary } from './worker-metrics.js';

/** What an application tells, and where. */
export interface MetricsOptions extends MetricsAddress {
  /** Made before the application, so that its server can count requests. */
  readonly metrics: Metrics;
  /** What the application's own parts keep. */
  readonly readings: readonly Reading[];
  readonly log: EdgeLog;
}

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<MetricsOptions>({
  moduleName: 'Metrics',
})
  .setClassMethodName('forRoot')
  .build();

/**
 * Serves metrics on a port of their own while the application runs. A worker of `node:cluster` listens nowhere: it tells
 * its primary process, where {@link serveWorkerMetrics} serves all of them.
 * @example
 * const metrics = new Metrics('shop');
 * imports: [MetricsModule.forRoot({ metrics, readings: [], log, port: 9464, host: '127.0.0.1' })]
 */
@Module({})
export class MetricsModule extends ConfigurableModuleClass implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly server: MetricsServer;

  constructor(@Inject(MODULE_OPTIONS_TOKEN) private readonly options: MetricsOptions) {
    super();
    const { metrics, readings, log } = options;
    metrics.add(readings);
    this.server = new MetricsServer(() => metrics.registry.metrics(), log);
  }

  /** @throws what keeps the port from being listened on. */
  async onApplicationBootstrap(): Promise<void> {
    const { metrics, log } = this.options;
    if (cluster.isWorker) tellPrimary(metrics.registry);
    else log.info({ url: await this.server.listen(this.options) }, 'metrics are served');
  }

  onApplicationShutdown(): Promise<void> {
    return this.server.close();
  }
}
