import { configureRoutes } from '../../http/nest/route-config.js';
import { Module, type NestModule } from '@nestjs/common';
import { ApplicationConfig, DiscoveryModule, DiscoveryService, HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';

import { AccountsModule } from '../accounts/accounts.module.js';
import { ThrottlingModule } from '../throttling/throttling.module.js';
import { accessConfig } from './route-access.js';
import { AccessHook, Credentials } from './access.hook.js';
import { ApiKeyAuthModule } from './api-key/api-key-auth.module.js';
import { ConfigurableAuthModule } from './auth-options.js';
import { BasicStrategy } from './basic/basic.strategy.js';
import { BearerStrategy } from './bearer/bearer.strategy.js';
import { EdgeAdmission } from './edge-admission.js';
import { requireKnownGuards } from './refused-guards.js';
import { RefusedEndings } from './refused-endings.js';
import { StandingAccess } from './standing-access.js';
import { OwnStrategies } from './strategies/own-strategies.js';

@Module({
  imports: [DiscoveryModule, ThrottlingModule, AccountsModule, ApiKeyAuthModule],
  providers: [
    BasicStrategy,
    BearerStrategy,
    OwnStrategies,
    Credentials,
    EdgeAdmission,
    StandingAccess,
    RefusedEndings,
    AccessHook,
  ],
  exports: [EdgeAdmission, StandingAccess],
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
