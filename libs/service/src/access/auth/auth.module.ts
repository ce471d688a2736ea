import { configureRoutes } from '../../http/nest/route-config.js';
import { type DynamicModule, Module, type NestModule } from '@nestjs/common';
import { ApplicationConfig, DiscoveryModule, DiscoveryService, HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ThrottlingModule } from '../throttling/throttling.module.js';
import { Permissions } from '../principal/permissions.js';
import { accessConfig } from './route-access.js';
import { AccessHook } from './access.hook.js';
import { AccessTable } from './access-table.js';
import { ApiKeyAuthModule } from './api-key/api-key-auth.module.js';
import { ConfigurableAuthModule } from './auth-options.js';
import { BasicStrategy } from './basic/basic.strategy.js';
import { BearerStrategy } from './bearer/bearer.strategy.js';
import { EdgeAdmission } from './edge-admission.js';
import { requireKnownGuards } from './refused-guards.js';
import { AuthStrategies, CallerFinder } from './strategies/auth-strategies.js';

@Module({})
export class AuthTablesModule {
  static forRoot(permissions: Permissions, strategies: AuthStrategies, access: AccessTable): DynamicModule {
    const providers = [
      { provide: Permissions, useValue: permissions },
      { provide: AuthStrategies, useValue: strategies },
      { provide: AccessTable, useValue: access },
    ];
    return { module: AuthTablesModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
  }
}

@Module({
  imports: [DiscoveryModule, ThrottlingModule, AccountsModule, ApiKeyAuthModule],
  providers: [BasicStrategy, BearerStrategy, CallerFinder, EdgeAdmission, AccessHook],
  exports: [AccessHook, EdgeAdmission],
})
export class AuthModule extends ConfigurableAuthModule implements NestModule {
  constructor(
    private readonly hook: AccessHook,
    private readonly discovery: DiscoveryService,
    private readonly host: HttpAdapterHost,
    private readonly application: ApplicationConfig,
  ) {
    super();
  }

  /** Runs before Nest registers routes and middleware. */
  configure(): void {
    requireKnownGuards(this.application);
    configureRoutes(this.discovery, accessConfig);
    this.hook.install(this.host.httpAdapter.getInstance<FastifyInstance>());
  }
}
