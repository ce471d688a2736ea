import { Lifecycle } from '../../http/connections/lifecycle.js';
import { type DynamicModule, Module } from '@nestjs/common';

import { RedisModule } from '../../access/throttling/redis.module.js';
import { HealthController } from './health.controller.js';

/** `/health/live` and `/health/ready`. */
@Module({ imports: [RedisModule], providers: [HealthController] })
export class HealthModule {
  /** @param lifecycle of the server, which is no longer ready once it begins to stop. */
  static forRoot(lifecycle: Lifecycle): DynamicModule {
    return { module: HealthModule, providers: [{ provide: Lifecycle, useValue: lifecycle }] };
  }
}
