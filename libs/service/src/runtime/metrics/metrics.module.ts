import {
  ConfigurableModuleBuilder,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';

import type { Metrics } from './metrics.js';
import type { Reading } from './readings.js';

/** What an application tells. */
export interface MetricsOptions {
  /** Made and served before the application, so that its server can count requests, and its start is seen. */
  readonly metrics: Metrics;
  /** What the application's own parts keep. */
  readonly readings: readonly Reading[];
}

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<MetricsOptions>({
  moduleName: 'Metrics',
})
  .setClassMethodName('forRoot')
  .build();

/**
 * Adds what the application keeps to its metrics, and ends them with it.
 * @example
 * const metrics = new Metrics('shop');
 * await metrics.serve({ port: 9464, host: '127.0.0.1' }, log);
 * imports: [MetricsModule.forRoot({ metrics, readings: [] })]
 */
@Module({})
export class MetricsModule extends ConfigurableModuleClass implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly metrics: Metrics;

  constructor(@Inject(MODULE_OPTIONS_TOKEN) { metrics, readings }: MetricsOptions) {
    super();
    metrics.add(readings);
    this.metrics = metrics;
  }

  onApplicationBootstrap(): void {
    this.metrics.started();
  }

  onApplicationShutdown(): Promise<void> {
    return this.metrics.close();
  }
}
