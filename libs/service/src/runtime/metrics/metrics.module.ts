import {
  ConfigurableModuleBuilder,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';

import type { Metrics } from './metrics.js';
import type { Reading } from './readings.js';

export interface MetricsOptions {
  /** Created and served before the application, so that a long start is visible. */
  readonly metrics: Metrics;
  readonly readings: readonly Reading[];
}

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<MetricsOptions>({
  moduleName: 'Metrics',
})
  .setClassMethodName('forRoot')
  .build();

/**
 * Adds the readings of the application to its metrics, and closes them with it.
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
