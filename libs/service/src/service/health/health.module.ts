import { Lifecycle } from '../../http/connections/lifecycle.js';
import { type DynamicModule, Module } from '@nestjs/common';

import { RedisModule } from '../../access/throttling/redis.module.js';
import { HealthController } from './health.controller.js';

@Module({ imports: [RedisModule], providers: [HealthController] })
export class HealthModule {
  /** The service is not ready once the server begins to stop. */
  static forRoot(lifecycle: Lifecycle): DynamicModule {
    return { module: HealthModule, providers: [{ provide: Lifecycle, useValue: lifecycle }] };
  }
}
