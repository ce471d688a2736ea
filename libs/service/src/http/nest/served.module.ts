import type { EdgeHooks } from '../edge/request-hooks.js';
import { Database } from '../../data/database/database.js';
import { StandbyReads } from '../../data/standbys/standby-reads.js';
import {
  Inject,
  Module,
  Optional,
  type DynamicModule,
  type NestModule,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import type { ErrorListener } from '@items/exception-filter';
import type { FastifyRequest } from 'fastify';
import { APP_FILTER, ApplicationConfig, DiscoveryModule, DiscoveryService, HttpAdapterHost } from '@nestjs/core';

import type { EdgeAdapter } from './edge-adapter.js';
import { bodyConfig } from './json-body.js';
import { requireKnownParameters } from './known-parameters.js';
import { ServiceErrorFilter } from './enhancers/exceptions.js';
import { PlainControllerRoutes } from './plain-controller-routes.js';
import { PluginGuards, PluginRoutes } from './enhancers/plugin-guards.js';
import { EnhancedControllers } from './enhancers/enhanced-controllers.js';
import { PlainRoutes, RouteEnhancers } from './enhancers/route-enhancers.js';
import { configureRoutes } from './route-config.js';
import { ServedCollections } from './served-collections.js';
import { StartRefusedError } from '../../data/definition/start-refused.js';

/**
 * Token of the {@link EdgeHooks}, which the edge calls for requests without a route and for more CORS origins. The root
 * module must export hooks that a module provides, otherwise the start fails.
 * @example @Module({ providers: [Visits, { provide: EDGE_HOOKS, useExisting: Visits }], exports: [EDGE_HOOKS] })
 */
export const EDGE_HOOKS = Symbol('EDGE_HOOKS');

const UNREACHABLE_HOOKS =
  'EDGE_HOOKS are provided, and the root module does not export them: they would never be called. Add ' +
  'exports: [EDGE_HOOKS] to the root module and to the module that provides them.';

const VERSIONED_ROUTES =
  "enableVersioning() would do nothing, because a version belongs to the service: write it into the paths, as in @Controller('v1/books').";

/** Wraps the root module of an app. The start fails if a part of the app would silently do nothing. */
@Module({
  imports: [DiscoveryModule],
  providers: [EnhancedControllers, RouteEnhancers, PlainRoutes, PlainControllerRoutes, PluginRoutes, ServedCollections],
})
export class ServedModule implements NestModule, OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly config: ApplicationConfig,
    private readonly host: HttpAdapterHost<EdgeAdapter>,
    private readonly collections: ServedCollections,
    private readonly plain: PlainControllerRoutes,
    private readonly controllers: EnhancedControllers,
    private readonly enhancers: RouteEnhancers,
    private readonly pluginGuards: PluginGuards,
    @Optional() @Inject(EDGE_HOOKS) readonly edgeHooks?: EdgeHooks,
    @Optional() @Inject(Database) readonly database?: Database,
    @Optional() @Inject(StandbyReads) readonly standbys?: StandbyReads | null,
  ) {
    configureRoutes(discovery, (controller, method) => ({
      ...bodyConfig(controller, method),
      mayHaveGuards: true,
    }));
  }

  /** @param onError called for each error of status 500 and above. */
  static forRoot(
    root: Type | DynamicModule,
    pluginGuards: PluginGuards,
    onError?: ErrorListener<FastifyRequest>,
  ): DynamicModule {
    // Nest tries filters of later scanned modules first, so those of the app precede this one.
    const filter = {
      provide: APP_FILTER,
      inject: [HttpAdapterHost],
      useFactory: ({ httpAdapter }: HttpAdapterHost<EdgeAdapter>) => new ServiceErrorFilter(httpAdapter, onError),
    };
    return {
      module: ServedModule,
      imports: [root],
      providers: [filter, { provide: PluginGuards, useValue: pluginGuards }],
    };
  }

  /** At this point all global enhancers exist, and Nest has added no routes. */
  configure(): void {
    this.controllers.prepare();
  }

  /** Adds routes and middleware here, because the app may add middleware until `app.init()`. */
  async onModuleInit(): Promise<void> {
    if (this.hasUnreachableHooks()) throw new StartRefusedError(UNREACHABLE_HOOKS);
    if (this.config.getVersioning() !== undefined) throw new StartRefusedError(VERSIONED_ROUTES);
    requireKnownParameters(this.discovery, this.config);
    this.collections.addRoutes();
    this.plain.addRoutes();
    this.pluginGuards.prepare(this.enhancers);
    await this.host.httpAdapter.addMiddleware();
  }

  private hasUnreachableHooks(): boolean {
    const provided = this.discovery.getProviders().filter(({ token }) => token === EDGE_HOOKS);
    return provided.some(({ instance }) => instance !== this.edgeHooks);
  }
}
