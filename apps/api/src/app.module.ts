import type { Lifecycle } from '@items/http';
import type { Log } from '@items/logging';
import { LOG, LoggingModule } from '@items/logging/nest';
import type { Metrics } from '@items/metrics';
import { ConventionsModule, EDGE_HOOKS } from '@items/nest';
import { Maintenance } from '@items/operations';
import { OutsideTokens } from '@items/outside-tokens';
import type { DatabaseObserver } from '@items/store';
import { type DynamicModule, Module } from '@nestjs/common';

import type { AccountListener } from './accounts/account-listener.js';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { ApiKeysService } from './api-keys/api-keys.service.js';
import { ApiKeyAuthenticator } from './auth/api-key/api-key-authenticator.js';
import type { TokenAuthenticator } from './auth/auth-options.js';
import { AuthModule } from './auth/auth.module.js';
import { EdgeAdmission } from './auth/edge-admission.js';
import { CONFIG, type Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import * as collections from './collection-modules.js';
import { EVENT_KINDS, visibilityOf } from './events/event-readers.js';
import { EventsModule } from './events/events.module.js';
import { HealthModule } from './health/health.module.js';
import { UNCOUNTED_PREFIXES } from './http/path-prefixes.js';
import { MaintenanceModule } from './http/maintenance.module.js';
import { BearerAuthenticator } from './oauth/bearer/bearer-authenticator.js';
import { OauthModule } from './oauth/oauth.module.js';
import { UserAuthorizations } from './oauth/authorizations/user-authorizations.js';
import { documentation } from './openapi/documentation.js';
import { OrdersModule } from './orders/orders.module.js';
import { schema } from './schema.js';
import { serviceMetrics } from './service-metrics.js';
import { UsersModule } from './users/users.module.js';
import { WebhookRemovalsService } from './webhooks/webhook-removals.service.js';
import { WebhookRowsModule } from './webhooks/webhook-rows.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

const conventions = (observer?: DatabaseObserver): DynamicModule =>
  ConventionsModule.forRootAsync({
    inject: [CONFIG, LOG],
    useFactory: ({ database, cursorTtlMs, cursorSecrets, events, slowMs, versions }: Config, log: Log) => ({
      ...schema,
      database,
      cursorTtlMs,
      cursorSecrets,
      events: { ...events, inCurrentForm: (event) => versions.eventIn(event) },
      log,
      slowMs,
      observer,
    }),
  });

/** Our own tokens, and those of the issuers that the configuration trusts. */
const auth = AuthModule.forRootAsync({
  imports: [OauthModule],
  inject: [BearerAuthenticator, OutsideTokens],
  useFactory: (...bearerTokens: TokenAuthenticator[]) => ({ bearerTokens }),
});

/** What belongs to users ends with them, and what is remembered of them is forgotten when they change. */
const users = UsersModule.forRootAsync({
  imports: [ApiKeysModule, OauthModule, WebhookRowsModule],
  inject: [ApiKeyAuthenticator, ApiKeysService, UserAuthorizations, WebhookRemovalsService],
  useFactory: (...listeners: AccountListener[]) => ({ listeners }),
});

/** Which events there are, and who may see them, is known above. */
const webhooks = WebhooksModule.forRoot({ kinds: EVENT_KINDS, visibilityOf });

const features = [documentation, ApiKeysModule, ...Object.values(collections), OrdersModule, OauthModule, webhooks];

/** What is made before the application is. */
export interface ServiceParts {
  readonly maintenance?: Maintenance;
  /** Where there are any. */
  readonly metrics?: Metrics | undefined;
  /** Hears of statements, where there are traces. */
  readonly observer?: DatabaseObserver | undefined;
}

/** The whole service. */
@Module({ providers: [{ provide: EDGE_HOOKS, useExisting: EdgeAdmission }], exports: [EDGE_HOOKS] })
export class AppModule {
  /** @param lifecycle of the server. @param parts those that the edge has, too. */
  static forRoot(
    config: Config,
    log: Log,
    lifecycle: Lifecycle,
    {
      metrics,
      observer,
      maintenance = new Maintenance(config.maintenanceSeconds, UNCOUNTED_PREFIXES),
    }: ServiceParts = {},
  ): DynamicModule {
    const foundations = [
      ConfigModule.forRoot(config),
      LoggingModule.forRoot(log),
      conventions(observer),
      HealthModule.forRoot(lifecycle),
      MaintenanceModule.forRoot(maintenance),
      auth,
      ...(metrics === undefined ? [] : [serviceMetrics(metrics, webhooks)]),
    ];
    return { module: AppModule, imports: [...foundations, users, ...features, EventsModule.forRoot(lifecycle, auth)] };
  }
}
