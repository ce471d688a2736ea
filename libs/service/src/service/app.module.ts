import type { Lifecycle } from '../http/connections/lifecycle.js';
import { auditTypesOf } from '../feed/event-kinds.js';
import { type Log, LOG } from '../runtime/logging/log.js';
import { LoggingModule } from '../runtime/logging/logging.module.js';
import type { Metrics } from '../runtime/metrics/metrics.js';
import { ConventionsModule } from '../http/nest/conventions.module.js';
import type { ConventionsOptions } from '../http/nest/conventions-options.js';
import { EDGE_HOOKS } from '../http/nest/served.module.js';
import type { Maintenance } from '../runtime/maintenance/maintenance-gate.js';
import type { DatabaseObserver } from '../data/database/database-observer.js';
import { RedisLink } from '@items/throttling';
import { RedisWritePositions } from '../access/standbys/redis-write-positions.js';
import { type DynamicModule, Module } from '@nestjs/common';

import type { AccountListener } from '../access/accounts/listeners.js';
import { allCollections } from './all-collections.js';
import { AccountsModule } from '../access/accounts/accounts.module.js';
import { Identities } from '../access/accounts/identities.js';
import { ApiKeyRowsModule, ApiKeysModule } from '../access/api-keys/api-keys.module.js';
import { ApiKeyRemovalsService } from '../access/api-keys/api-key-removals.service.js';
import { ApiKeyStrategy } from '../access/auth/api-key/api-key.strategy.js';
import { ConsoleModule } from '../access/console/console.module.js';
import type { AuthOptions, TokenAuthenticator } from '../access/auth/auth-options.js';
import type { AuthStrategies } from '../access/auth/strategies/auth-strategies.js';
import type { AccessTable } from '../access/auth/access-table.js';
import { AuthModule, AuthTablesModule } from '../access/auth/auth.module.js';
import { EdgeAdmission } from '../access/auth/edge-admission.js';
import { CONFIG, type Config } from '../runtime/config/config.js';
import { ConfigModule } from '../runtime/config/config.module.js';
import type { Composition } from './composition/composition.js';
import { EventReaders } from './feed-routes/event-readers.js';
import { EventsModule } from './feed-routes/events.module.js';
import { HealthModule } from './health/health.controller.js';
import { CertificateModule } from './edge/certificate-watch.js';
import { MaintenanceModule } from './edge/maintenance-watch.js';
import { InstancesModule } from '../runtime/instances/instance-watch.js';
import { OutsideAuthenticator } from '../access/oauth/bearer/outside-authenticator.js';
import { BearerAuthenticator } from '../access/oauth/bearer/bearer-authenticator.js';
import { OauthModule } from '../access/oauth/oauth.module.js';
import { GrantRoutesModule, IdentityLoginModule, OauthRoutesModule } from '../access/oauth/oauth-routes.module.js';
import { Authorizations } from '../access/oauth/authorizations/authorizations.js';
import { OwnModules } from '../http/nest/own-modules.js';
import { DEFAULT_TITLE } from './api-document/info.js';
import { documentation } from './api-document/documentation.js';
import type { Permissions } from '../access/principal/permissions.js';
import { schemaOf } from './schema.js';
import { ServiceMetricsModule } from './service-metrics.js';
import { RedisModule } from '../access/throttling/throttling.module.js';
import { UsersModule } from '../access/users/users.module.js';
import { WebhookRemovalsService, WebhookRowsModule } from '../webhooks/routes/webhook-rows.module.js';
import { WebhooksModule } from '../webhooks/routes/webhooks.module.js';

const conventions = (
  composition: Composition,
  { observer, onOpened }: Pick<ServiceParts, 'observer' | 'onOpened'>,
): DynamicModule =>
  ConventionsModule.forRootAsync({
    imports: [RedisModule],
    inject: [CONFIG, LOG, RedisLink],
    useFactory: (
      { database, databaseReadUrl, cursorTtlMs, cursorSecrets, events, slowMs, versions }: Config,
      log: Log,
      link: RedisLink | null,
    ) => ({
      ...schemaOf(composition),
      database,
      standbys: { url: databaseReadUrl, ...(link !== null && { positions: new RedisWritePositions(link) }) },
      cursorTtlMs,
      cursorSecrets,
      events: { ...events, inCurrentForm: (event) => versions.eventIn(event) },
      log,
      slowMs,
      observer,
      onOpened,
    }),
  });

const auth = (onChecked?: AuthOptions['onChecked']): DynamicModule =>
  AuthModule.forRootAsync({
    imports: [OauthModule],
    inject: [BearerAuthenticator, OutsideAuthenticator],
    useFactory: (...bearerTokens: TokenAuthenticator[]) => ({ bearerTokens, onChecked }),
  });

/** The listeners delete the data of a deleted user, or drop cached data after a change. */
const users = UsersModule.forRootAsync({
  imports: [AccountsModule, ApiKeysModule, ApiKeyRowsModule, OauthModule, WebhookRowsModule],
  inject: [ApiKeyStrategy, ApiKeyRemovalsService, Identities, Authorizations, WebhookRemovalsService],
  useFactory: (...listeners: AccountListener[]) => ({ listeners }),
});

export interface ServiceParts {
  readonly permissions: Permissions;
  readonly strategies: AuthStrategies;
  readonly accessTable: AccessTable;
  readonly maintenance: Maintenance;
  readonly metrics: Metrics | undefined;
  readonly observer: DatabaseObserver | undefined;
  readonly onOpened: ConventionsOptions['onOpened'];
  readonly onChecked: AuthOptions['onChecked'];
}

@Module({ providers: [{ provide: EDGE_HOOKS, useExisting: EdgeAdmission }], exports: [EDGE_HOOKS] })
export class AppModule {
  static forRoot(
    composition: Composition,
    config: Config,
    log: Log,
    lifecycle: Lifecycle,
    parts: ServiceParts,
  ): DynamicModule {
    const { permissions, strategies, accessTable, maintenance, metrics } = parts;
    const access = auth(parts.onChecked);
    const readers = new EventReaders(composition, permissions);
    const webhooks = WebhooksModule.forRoot({
      kinds: readers.kinds,
      visibilityOf: (reader) => readers.visibilityOf(reader),
    });
    const auditTypes = allCollections(composition).flatMap(auditTypesOf);
    const hasBearer = config.authMethods.includes('bearer');
    const oauthRoutes = hasBearer ? [GrantRoutesModule, OauthRoutesModule] : [GrantRoutesModule];
    const features = [documentation(composition), ApiKeysModule, ...composition.modules, ...oauthRoutes, webhooks];
    const further = composition.further ?? [];
    const foundations = [
      ConfigModule.forRoot(config),
      AuthTablesModule.forRoot(permissions, strategies, accessTable),
      LoggingModule.forRoot(log),
      conventions(composition, parts),
      HealthModule.forRoot(lifecycle),
      MaintenanceModule.forRoot(maintenance),
      InstancesModule,
      ...(config.tlsPaths === undefined ? [] : [CertificateModule]),
      access,
      ...(metrics === undefined ? [] : [ServiceMetricsModule.of(metrics, webhooks)]),
    ];
    return {
      module: AppModule,
      imports: [
        ...foundations,
        users,
        ...(hasBearer ? [IdentityLoginModule.with(users)] : []),
        ...(config.console
          ? [ConsoleModule.with(users, maintenance, { title: composition.info?.title ?? DEFAULT_TITLE })]
          : []),
        ...features,
        ...further,
        { module: OwnModules, imports: [...composition.modules, ...further] },
        EventsModule.forRoot(composition.events, { lifecycle, access, readers, auditTypes }),
      ],
    };
  }
}
