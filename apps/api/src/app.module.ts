import { type DynamicModule, Module } from '@nestjs/common';

import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { AuthModule } from './auth/auth.module.js';
import { CollectionsModule } from './collections/collections.module.js';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { DatabaseModule } from './database/database.module.js';
import { HealthModule } from './health/health.module.js';
import { HttpModule } from './http/http.module.js';
import type { Lifecycle } from './http/lifecycle.js';
import { ItemsModule } from './items/items.module.js';
import type { Log } from './logging/log.js';
import { LoggingModule } from './logging/logging.module.js';
import { OauthModule } from './oauth/oauth.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { ThrottlingModule } from './throttling/throttling.module.js';
import { UsersModule } from './users/users.module.js';

const features = [HealthModule, OpenApiModule, ApiKeysModule, ItemsModule, UsersModule, OrdersModule, OauthModule];

/** The whole service. */
@Module({})
export class AppModule {
  static with(config: Config, log: Log, lifecycle: Lifecycle): DynamicModule {
    const foundations = [
      ConfigModule.with(config),
      LoggingModule.with(log),
      DatabaseModule,
      HttpModule.with(lifecycle),
      ThrottlingModule,
      AuthModule,
      CollectionsModule,
    ];
    return { module: AppModule, imports: [...foundations, ...features] };
  }
}
